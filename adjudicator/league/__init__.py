"""What goes on between games and around them: clocks and leave; pure values and functions.

No clock is read here, no database, no dice: every time comes in as an argument.
"""
