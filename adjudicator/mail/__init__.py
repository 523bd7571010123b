"""Bytes and SMTP: reading letters, writing posts, receiving and sending them.

This package knows no rules and no database. `letter` is where reading starts, `compose` where writing starts;
`listener` and `sender` are the two ends that touch the network.
"""
