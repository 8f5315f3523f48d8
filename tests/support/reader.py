"""Pages of studies and sweeps as a test reads them."""

from html.parser import HTMLParser

VOID = {"meta", "wbr"}
"""Elements that have no end."""


class Reader(HTMLParser):
    """Reads a page: its tables by name, its drawings, its addresses; every element must end."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.drawings: list[dict[str, str]] = []
        self.tips: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = {key: value or "" for key, value in attributes}
        self.ids += [known["id"]] if "id" in known else []
        self.links += [known["href"]] if "href" in known else []
        if tag == "table":
            self.rows: list[list[str]] = self.tables.setdefault(known.get("aria-label", ""), [])
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "svg":
            self.drawings.append(known)
        elif tag == "title":
            self.tips.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """An element that ends where it begins."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data.replace("\xa0", " ")
        if self.open and self.open[-1] == "title":
            self.tips[-1] += data
        if "style" not in self.open:
            self.text += data.replace("\xa0", " ")
