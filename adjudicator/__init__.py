"""A play-by-email adjudicator for A Few Acres of Snow."""

__version__ = "0.1.0"
