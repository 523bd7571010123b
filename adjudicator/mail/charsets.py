"""Bytes to text, whatever they claim to be; nothing here ever refuses.

Order of trust: the declared charset, then UTF-8, then Windows-1252. No guessing by statistics: short mails
are guessed wrongly too often.
"""

import binascii
import re
import unicodedata

# Only these families are looked up: Python's codec table also holds "idna", "unicode_escape" and other traps.
_KNOWN = re.compile(
    r"utf_?(7|8|16|32)(_?[lb]e)?|utf_8_sig|iso_?8859_?\d+(_?[ei])?|latin_?\d+|windows_?\d+|cp_?\d+|"
    r"koi8_[rtu]|mac_?[a-z]+|gb\w+|big5\w*|euc_\w+|shift_jis\w*|iso_?2022_\w+|tis_620|hz|johab|ptcp154|kz1048"
)
# What a name means in practice is often a larger set than the standard says.
_ALIASES = {
    "us_ascii": "utf_8", "ascii": "utf_8", "iso_8859_1": "cp1252", "iso8859_1": "cp1252",
    "latin1": "cp1252", "latin_1": "cp1252", "iso_8859_9": "cp1254", "iso_8859_11": "cp874",
    "tis_620": "cp874", "shift_jis": "cp932", "shiftjis": "cp932", "sjis": "cp932", "x_sjis": "cp932",
    "ms_kanji": "cp932", "windows_31j": "cp932", "x_ms_cp932": "cp932", "gb2312": "gb18030",
    "gbk": "gb18030", "x_gbk": "gb18030", "hz_gb_2312": "hz", "ks_c_5601_1987": "cp949",
    "euc_kr": "cp949", "big5": "cp950", "x_euc_jp": "euc_jp", "iso_2022_jp": "iso2022_jp_ext",
    "cp50220": "iso2022_jp_ext", "cp50221": "iso2022_jp_ext", "x_mac_roman": "mac_roman",
    "macintosh": "mac_roman", "iso_8859_8_i": "iso8859_8", "iso_8859_8_e": "iso8859_8",
    "iso_8859_6_i": "iso8859_6", "unicode_1_1_utf_7": "utf_7", "utf8mb4": "utf_8", "utf8": "utf_8",
}  # fmt: skip
_PIECE = 200  # characters normalised at once: canonical ordering of combining marks takes quadratic time

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
_PLAIN = str.maketrans({
    **dict.fromkeys("\t\v\f", " "), **dict.fromkeys("\u02bc\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"), **dict.fromkeys("\u2014\u2015", "--"),
    **{chr(0x245F + n): f"({n}) " for n in range(1, 21)},  # circled numbers
})  # fmt: skip


def codec_of(charset: str) -> str | None:
    """Return the name of the Python codec for a declared charset, None if there is none that we trust."""
    name = re.sub(r"[^a-z0-9]+", "_", charset.strip().lower()[:40]).strip("_")
    name = _ALIASES.get(name, name)
    return name if _KNOWN.fullmatch(name) or name.startswith("iso2022_") else None


def decode_bytes(raw: bytes, charset: str = "") -> str:
    """Return `raw` as text; never raises.

    Bytes that fit neither the declared charset nor UTF-8 are read as Windows-1252, and what even that lacks
    as Latin-1, so no byte is lost. Text declared as UTF-8 that is UTF-8 for the most part stays so.
    """
    codec = codec_of(charset) if charset else None
    for candidate in (codec, "utf_8"):
        if candidate is None:
            continue
        try:
            return raw.decode(candidate)
        except (LookupError, UnicodeError):
            continue
    return _damaged(raw, codec)


def _damaged(raw: bytes, codec: str | None) -> str:
    if codec not in {None, "cp1252"} and codec is not None:
        try:
            text = raw.decode(codec, "replace")
        except (LookupError, UnicodeError):
            text = ""
        bad = text.count("\ufffd")
        if bad and sum(not char.isascii() for char in text) > 2 * bad:
            return text
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def plain(text: str) -> str:
    """Return a line of text with typographic variants made plain; accents and letters stay.

    Full-width letters become ordinary ones, no-break spaces spaces, curly quotes straight ones; invisible
    characters go. ASCII text without control characters comes back as it is.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _INVISIBLE.sub("", text.translate(_PLAIN))
    if text.isascii():
        return text
    if len(text) <= _PIECE:
        return unicodedata.normalize("NFKC", text).translate(_PLAIN)
    return "".join(unicodedata.normalize("NFKC", piece) for piece in _pieces(text)).translate(_PLAIN)


def _pieces(text: str) -> list[str]:
    """Cut `text` into pieces to normalise apart, if possible not before a combining mark."""
    pieces, start = [], 0
    while start < len(text):
        end = start + _PIECE
        while end < min(len(text), start + 2 * _PIECE) and unicodedata.combining(text[end]):
            end += 1
        pieces.append(text[start:end])
        start = end
    return pieces


_WORD = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t\r\n]+(?==\?)")


def decode_header(value: bytes) -> str:
    """Return a header value unfolded, with its encoded words (RFC 2047) read, on one line and trimmed.

    Raw 8-bit values (RFC 6532, or merely wrong) are read as UTF-8, else Windows-1252.
    """
    text = decode_bytes(value)
    if "=?" in text:
        text = _encoded_words(_BETWEEN_WORDS.sub(r"\1", text))
    return " ".join(_INVISIBLE.sub("", text).split())


def _encoded_words(text: str) -> str:
    out: list[str] = []
    last = 0
    charset, waiting = "", b""  # bytes of neighbouring words: some senders cut inside a character
    for word in _WORD.finditer(text):
        between = text[last : word.start()]
        last = word.end()
        if waiting and (between or word[1].lower() != charset):
            out.append(decode_bytes(waiting, charset))
            waiting = b""
        out.append(between)
        charset = word[1].lower()
        waiting += _word_bytes(word[2].lower(), word[3])
    if waiting:
        out.append(decode_bytes(waiting, charset))
    out.append(text[last:])
    return "".join(out)


def _word_bytes(encoding: str, payload: str) -> bytes:
    data = payload.encode("utf-8")
    if encoding == "q":
        return binascii.a2b_qp(data, header=True)
    return base64_bytes(data)


_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


def base64_bytes(data: bytes) -> bytes:
    """Decode base64 as far as it goes: padding, line ends and foreign characters do not matter."""
    digits = _NOT_BASE64.sub(b"", data.translate(None, b"\r\n"))
    rest = len(digits) % 4
    digits = digits[:-1] if rest == 1 else digits + b"=" * (-rest % 4)
    return binascii.a2b_base64(digits)
