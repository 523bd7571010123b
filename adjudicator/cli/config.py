"""`config`: the settings and where each came from."""

from adjudicator.cli.root import Json, say, say_json


def config(*, json: Json = False) -> None:
    """Print each setting, its value and where it came from; passwords are hidden."""
    from adjudicator.settings import load_settings  # noqa: PLC0415 - slow to load

    rows = load_settings().describe()
    if json:
        say_json([{"setting": name, "value": value, "source": source} for name, value, source in rows])
        return
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, value, source in rows:
        say(f"{name:{widths[0]}}  {value:{widths[1]}}  {source}")
