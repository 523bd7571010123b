"""What the service is made to bear: a flood of rubbish, and being killed again and again.

Each run starts `serve` as a process of its own, speaks SMTP with it from outside, takes its mails as a relay does, and
afterwards compares what the mails say with what is stored.
"""
