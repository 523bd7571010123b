"""What is kept: tables, the transactions over them, and the opening of a database.

States, actions, events and reports are bytes to this package: it knows neither the rules nor mail.
"""
