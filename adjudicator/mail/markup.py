"""The lines of an HTML mail, each with whether its writer marked it as a quote or a signature.

Mail programs put the old mail into elements of their own; those are told by their names here. What looks like
a quote only by its words is left to `quotes`.
"""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adjudicator.errors import Unreadable
from adjudicator.mail.allowance import MAX_HTML_BYTES, Allowance
from adjudicator.mail.quotes import Kind

MAX_HTML_DEPTH = 500

_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}  # str.lower may change the length
_NESTING = ("div", "ul", "ol", "li", "blockquote", "section", "dl", "dd")
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt",
    "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li",
    "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
})  # fmt: skip
_SKIPPED = frozenset({
    "head", "style", "script", "title", "template", "noscript", "select", "textarea", "-comment",
})  # fmt: skip
_QUOTE_CLASSES = frozenset({
    "gmail_attr", "moz-cite-prefix", "moz-email-headers-table", "moz-forward-container", "yahoo_quoted",
    "protonmail_quote", "tutanota_quote", "zmail_extra", "quoted-text", "quote-pre", "hmquote",
    "ymail_android_quoted",
})  # fmt: skip
_QUOTE_IDS = frozenset({
    "mail-editor-reference-message-container", "olk_src_body_section", "reply-intro", "origbody",
})  # fmt: skip
# From these on everything is the old mail.
_LAST_IDS = frozenset({
    "divrplyfwdmsg", "appendonsend", "stopspelling", "replysplit", "isreplycontent",
})  # fmt: skip
_SIGNATURE_CLASSES = frozenset({
    "gmail_signature", "moz-signature", "protonmail_signature_block", "signature",
})  # fmt: skip
_SIGNATURE_IDS = frozenset({"signature", "ms-outlook-mobile-signature", "ymail_android_signature"})
_STRUCK = frozenset({"s", "strike", "del"})
_UNSEEN_STYLE = re.compile(r"line-through|display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_PRE_STYLE = re.compile(r"white-space(-collapse)?\s*:\s*(pre|break-spaces)", re.IGNORECASE)
_TIGHT = re.compile(r"mso(normal|plaintext|listparagraph)|margin(-top|-bottom)?\s*:\s*0", re.IGNORECASE)


def html_lines(html: str, allowance: Allowance) -> list[tuple[str, Kind]]:
    """Return the lines that a reader of the page sees, with the kind that its elements give them.

    Raises:
        Unreadable: `allowance` is used up (style sheets and comments do not count), or it is nested deeper than
            MAX_HTML_DEPTH (the parser takes quadratic time on such).
    """
    if len(html) > MAX_HTML_BYTES // 2:
        html = _without_unseen(html)
    allowance.take_html(len(html.encode("utf-8", "replace")))
    low = html.lower()
    if sum(max(0, low.count("<" + tag) - low.count("</" + tag)) for tag in _NESTING) > MAX_HTML_DEPTH:
        raise Unreadable(f"the HTML of this mail is nested more than {MAX_HTML_DEPTH} deep; please send plain text")
    page = _Page()
    page.walk(LexborHTMLParser(html.replace("\x00", "")).root)
    return page.lines


def _without_unseen(html: str) -> str:
    """Drop comments and style sheets; each opening is looked for only as long as closings are left."""
    for opening, closing in (("<!--", "-->"), ("<style", "</style>"), ("<script", "</script>")):
        low = html.translate(_LOWER)
        out, at = list[str](), 0
        while (begin := low.find(opening, at)) >= 0 and (end := low.find(closing, begin)) >= 0:
            out.append(html[at:begin])
            at = end + len(closing)
        html = "".join(out) + html[at:]
    return html


class _Page:
    """Collects lines while walking over the elements of a page."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, Kind]] = []
        self._words: list[str] = []
        self._kind: Kind = "own"
        self._kinds: list[Kind] = []  # what each open element makes of what stood before
        self._preformatted = 0
        self._rest_is_quote = False

    def walk(self, root: LexborNode | None) -> None:
        """Go over the tree without recursion: pages nest deeper than Python's stack."""
        node, open_nodes = root, list[LexborNode]()
        while node is not None:
            child = self._enter(node)
            if child is not None:
                open_nodes.append(node)
                node = child
                continue
            self._leave(node)
            while node is not None and node.next is None:
                node = open_nodes.pop() if open_nodes else None
                if node is not None:
                    self._leave(node)
            node = node.next if node is not None else None
        self._flush()

    def _enter(self, node: LexborNode) -> LexborNode | None:
        """Begin an element; return its first child if it is to be walked over."""
        tag = node.tag or ""
        if tag == "-text":
            self._text(node.text_content or "")
            return None
        self._kinds.append(self._kind)
        if tag in _SKIPPED or _is_taken_back(node, tag):
            return None
        if tag in _BLOCKS:
            self._flush()
        elif tag in {"td", "th"}:
            self._words.append(" ")
        self._set_kind(self._kind_of(node, tag))
        self._preformatted += _keeps_lines(node, tag)
        return node.first_child

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag == "-text":
            return
        if tag == "br":
            self._end_line()
        elif tag in _BLOCKS:
            self._flush()
            if tag == "p" and not _TIGHT.search(_marks(node)):
                self._blank()
        self._preformatted -= _keeps_lines(node, tag)
        before = self._kinds.pop()
        self._set_kind("quote" if self._rest_is_quote else before)

    def _kind_of(self, node: LexborNode, tag: str) -> Kind:
        if self._kind == "quote":
            return "quote"
        attributes = node.attributes
        classes = {name.removeprefix("x_") for name in (attributes.get("class") or "").lower().split()}
        ident = (attributes.get("id") or "").lower().removeprefix("x_")
        self._rest_is_quote = self._rest_is_quote or ident in _LAST_IDS
        if (
            self._rest_is_quote
            or classes & _QUOTE_CLASSES
            or ident in _QUOTE_IDS
            or attributes.get("name") == "quote"
            or (tag == "blockquote" and not _is_indent(attributes))
            or ("gmail_quote" in classes and not _replies_inside(node))
        ):
            return "quote"
        if classes & _SIGNATURE_CLASSES or ident in _SIGNATURE_IDS:
            return "signature"
        return self._kind

    def _set_kind(self, kind: Kind) -> None:
        if kind != self._kind:
            self._flush()
            self._kind = kind

    def _text(self, text: str) -> None:
        if self._preformatted:
            *full, last = text.replace("\r\n", "\n").split("\n")
            for line in full:
                self._words.append(line)
                self._end_line()
            self._words.append(last)
        else:
            self._words.append(_SPACE.sub(" ", text))

    def _end_line(self) -> None:
        line = "".join(self._words)
        self.lines.append((line if self._preformatted else _SPACE.sub(" ", line).strip(" "), self._kind))
        self._words.clear()

    def _flush(self) -> None:
        if any(word.strip(" \t\r\n") for word in self._words):
            self._end_line()
        self._words.clear()

    def _blank(self) -> None:
        if self.lines and self.lines[-1][0]:
            self.lines.append(("", self._kind))


def _keeps_lines(node: LexborNode, tag: str) -> bool:
    """Tell whether line ends in the source are shown as such."""
    return tag == "pre" or _PRE_STYLE.search(node.attributes.get("style") or "") is not None


def _is_taken_back(node: LexborNode, tag: str) -> bool:
    """Whether a writer has struck the words out, or nobody sees them: they are no words of his."""
    attributes = node.attributes
    return tag in _STRUCK or "hidden" in attributes or bool(_UNSEEN_STYLE.search(attributes.get("style") or ""))


def _marks(node: LexborNode) -> str:
    attributes = node.attributes
    return f"{attributes.get('class') or ''} {attributes.get('style') or ''}"


def _is_indent(attributes: dict[str, str | None]) -> bool:
    """Tell whether a blockquote only indents the writer's own text (web mailers' "indent more")."""
    style = (attributes.get("style") or "").replace(" ", "").lower()
    return "border:none" in style and not attributes.get("class") and attributes.get("type") != "cite"


def _replies_inside(node: LexborNode) -> bool:
    """Tell whether the quote itself is a blockquote in here: what stands beside it is the writer's own."""
    child = node.first_child
    while child is not None:
        if child.tag == "blockquote":
            return True
        child = child.next
    return False
