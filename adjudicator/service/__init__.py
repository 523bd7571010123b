"""The service joins mail, rules, orders, store and rendering; only here do they meet.

`receive` takes one mail, `start` begins a game, `deliver` empties the outbox, `house` lets house players move.
"""
