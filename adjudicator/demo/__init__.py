"""A whole game by real mails in one process: the service, and two players who know it only by mail.

`hall` runs the service, `correspondent` is a player's mail program, `house_game` and `recorded_game` say what the
players write.
"""
