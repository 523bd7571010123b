"""Words that mail programs write around quotes; data for `quote_heads` and `quotes`.

All in lower case and already made plain. Where a list lacks a language, dates, addresses and the cut
line still speak.
"""

# ruff: noqa: RUF001 - words of other languages, not lookalikes

# "wrote", as a word of its own.
WROTE = (
    "wrote", "writes", "schrieb", "schreef", "skrev", "kirjoitti", "escribió", "escribio", "escreveu",
    "scritto", "scrive", "írta", "irta", "napisał", "napisała", "napsal", "napsala", "napísal",
    "napísala", "napisao", "napisala", "пишет", "писал", "писала", "написал", "написала", "пише",
    "написа", "a scris", "va escriure", "yazdı", "έγραψε", "rašė", "kirjutas", "rakstīja", "menulis",
)  # fmt: skip
# The same, where words run on or end in what is no letter.
WROTE_ANYWHERE = (
    "a écrit", "napisał(a)", "đã viết", "書きました", "のメール", "写道", "寫道", "작성", "כתב", "كتب",
)  # fmt: skip

MONTHS = (
    "jan", "feb", "fév", "fev", "mar", "mär", "maa", "apr", "avr", "abr", "huhti", "mai", "may", "maj",
    "mag", "mei", "máj", "touko", "jun", "jún", "jui", "giu", "kesä", "jul", "júl", "lug", "heinä",
    "aug", "ago", "aoû", "elo", "sep", "set", "szept", "syys", "oct", "okt", "ott", "out", "loka",
    "nov", "marras", "dec", "dez", "dic", "déc", "joulu", "sty", "lut", "kwi", "cze", "lip", "sie",
    "wrz", "paź", "lis", "gru", "янв", "фев", "мар", "апр", "мая", "май", "июн", "июл", "авг", "сен",
    "окт", "ноя", "дек",
)  # fmt: skip

# What stands between dashes above an old mail.
ORIGINAL = (
    "original message", "original appointment", "original mail", "forwarded message", "forwarded by",
    "reply message", "ursprüngliche nachricht", "ursprungliche nachricht", "ursprünglichen nachricht",
    "originalnachricht", "original-nachricht", "weitergeleitete nachricht", "message d'origine",
    "message original", "message transféré", "mensaje original", "mensaje reenviado",
    "mensagem original", "mensagem encaminhada", "messaggio originale", "messaggio inoltrato",
    "wiadomość oryginalna", "oryginalna wiadomość", "wiadomość przekazana", "treść przekazanej",
    "eredeti üzenet", "eredeti levél", "továbbított üzenet", "továbbított levél",
    "ursprungligt meddelande", "originalmeddelande", "vidarebefordrat", "oprindelig meddelelse",
    "oprindelig besked", "opprinnelig melding", "alkuperäinen viesti", "oorspronkelijk bericht",
    "doorgestuurd bericht", "исходное сообщение", "пересылаемое", "пересланное", "původní zpráva",
    "pôvodná správa", "元のメッセージ", "転送メッセージ", "原始邮件", "原始郵件", "转发邮件",
    "轉寄郵件", "원본 메시지",
)  # fmt: skip
BEGIN_FORWARD = (
    "begin forwarded message", "anfang der weitergeleiteten", "début du message réexpédié",
    "début du message transféré", "inizio messaggio inoltrato", "inicio del mensaje reenviado",
    "início da mensagem reencaminhada", "início da mensagem encaminhada", "vidarebefordrat brev",
)  # fmt: skip

# The labels of a copied header block.
LABELS = {
    "from": (
        "from", "von", "de", "da", "od", "från", "fra", "van", "feladó", "от", "от кого", "від",
        "отправитель", "lähettäjä", "kimden", "expéditeur", "remitente", "mittente", "nadawca",
        "差出人", "发件人", "寄件者", "寄件人", "보낸 사람",
    ),
    "date": (
        "sent", "date", "gesendet", "datum", "envoyé", "enviado", "enviado el", "enviada em", "fecha",
        "inviato", "data", "wysłano", "skickat", "elküldve", "küldve", "dátum", "sendt", "dato",
        "verzonden", "lähetetty", "päivämäärä", "odesláno", "отправлено", "дата", "дата отправки",
        "gönderildi", "tarih", "trimis", "送信日時", "日時", "日付", "发送时间", "发送日期", "日期",
        "寄件日期", "보낸 날짜",
    ),
    "to": (
        "to", "an", "à", "para", "a", "do", "till", "til", "aan", "címzett", "vastaanottaja", "кому",
        "komu", "kime", "către", "destinatario", "destinataire", "宛先", "收件人", "收件者",
        "받는 사람",
    ),
    "subject": (
        "subject", "betreff", "objet", "asunto", "assunto", "oggetto", "temat", "ämne", "emne",
        "onderwerp", "tárgy", "aihe", "тема", "předmět", "predmet", "konu", "subiect", "件名", "主题",
        "主旨", "제목",
    ),
    "cc": ("cc", "kopie", "copia", "kopia", "másolat", "копия", "抄送", "副本", "참조"),
}  # fmt: skip

# How the advertisements of mail programs begin; the second list: what stands within them.
AD_BEGINS = (
    "sent from ", "sent via ", "sent with ", "sent using ", "get outlook ", "get bluemail ",
    "gesendet von ", "gesendet mit ", "gesendet über ", "von meinem ", "diese nachricht wurde von mein",
    "envoyé de ", "envoyé depuis ", "envoyé avec ", "envoyé à partir ", "enviado desde ", "enviado do ",
    "enviado de ", "enviado con ", "enviado via ", "enviado a partir ", "inviato da ", "inviato dal ",
    "inviato con ", "wysłane z ", "wysłano z ", "wysłany z ", "skickat från ", "skickades från ",
    "sendt fra ", "lähetetty ", "verzonden vanaf ", "verzonden met ", "verzonden via ",
    "verstuurd vanaf ", "odesláno z ", "odoslané z ", "trimis de ", "отправлено с ", "отправлено из ",
    "послано с ", "надіслано з ", "elküldve ", "发自我的", "發自我的", "從我的",
    "holen sie sich outlook", "obtenir outlook", "obtener outlook", "ottieni outlook",
)  # fmt: skip
AD_HOLDS = (
    "から送信", "에서 보냄", "outlook を入手", "iphone-ról küldve", "iphone-omról küldve",
    "ipademről küldve", "iphone-umdan", "iphone'umdan", "készülékről küldve", "készülékemről küldve",
    "telefonomról küldve", "telefonról küldve", "eszközről küldve",
)  # fmt: skip
