"""Letters as programs and people make them: for the tests, and by hand for long (`python -m tests.letters`).

Everything here chooses by a function `choose(options)`, so that Hypothesis and a seeded generator drive the same code.
"""
