"""Whether a mail was written by a machine.

Such mail is never answered: two machines would answer each other for ever.

Source: RFC 3834, and what vacation programs and mailing lists do in practice.
"""

import re

from adjudicator.mail.mime import Part

_VENDOR = (
    "x-autoreply", "x-auto-reply", "x-autorespond", "x-autoresponder", "x-autoreply-from", "x-mail-autoreply",
    "x-auto-response", "x-vacation", "x-amazon-auto-reply", "x-failed-recipients", "x-cron-env",
)  # fmt: skip
_LISTS = ("list-id", "list-post", "list-help", "list-unsubscribe", "list-subscribe", "mailing-list")
_SUPPRESS = re.compile(r"\b(all|oof|autoreply)\b", re.IGNORECASE)
_MACHINE = re.compile(r"(mailer-?daemon|no-?reply|do-?not-?reply|bounces?|postmaster)([+.-].*)?@", re.IGNORECASE)
_ABSENCE = re.compile(
    "(automatic reply|auto[- ]?reply|auto[- ]?response|auto|out of (the )?office|vacation reply|"
    "automatische antwort|abwesenheitsnotiz|abwesenheit|abwesend|réponse automatique|absence du bureau|"
    "respuesta automática|fuera de la oficina|risposta automatica|fuori sede|automatikus válasz|"
    "automatyczna odpowiedź|odpowiedź automatyczna|autosvar|automatiskt svar|automaattinen vastaus|"
    "automatisch antwoord|afwezig|resposta automática|автоответ|автоматический ответ|自動応答|自動返信|"
    r"自动答复|自动回复)\s*[:\uff1a(\[\]-]",
    re.IGNORECASE,
)


def automatic_reason(mail: Part, mail_from: str, from_address: str, subject: str) -> str | None:
    """Return why this mail is automatic, or None if a person seems to have written it.

    `mail_from` is the envelope sender, "" for the null path.
    """
    if not mail_from:
        return "null return path"
    submitted = mail.value("auto-submitted").partition(";")[0].strip().lower()
    if submitted not in {"", "no"}:
        return f"Auto-Submitted: {submitted[:40]}"
    if mail.kind == "multipart/report" or mail.kind.startswith("message/d"):
        return f"Content-Type: {mail.kind}"
    return _from_headers(mail) or _from_words(from_address, subject)


def _from_headers(mail: Part) -> str | None:
    precedence = mail.value("precedence").lower()
    if precedence in {"bulk", "junk", "list", "auto_reply", "auto-reply"}:
        return f"Precedence: {precedence}"
    for name in (*_LISTS, *_VENDOR):
        if name in mail.headers:
            return name
    if _SUPPRESS.search(mail.value("x-auto-response-suppress")):
        return "x-auto-response-suppress"
    if mail.value("x-fc-machinegenerated").lower() == "true":
        return "x-fc-machinegenerated"
    if "autoresponder" in mail.value("x-post-messageclass").lower() + mail.value("delivered-to").lower():
        return "autoresponder"
    return None


def _from_words(from_address: str, subject: str) -> str | None:
    if _MACHINE.match(from_address):
        return f"from {from_address.partition('@')[0][:40]}"
    if _ABSENCE.match(subject):
        return "subject of an absence notice"
    return None
