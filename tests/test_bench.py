"""The measures give numbers, with and without the rival."""

from adjudicator import bench


def test_listing_is_measured_beside_chess():
    found = bench.listing(0.2)
    assert found["ours_per_s"] > 0
    assert found["first_per_s"] > 0
    assert found["ratio"] > 0
    assert found["chess_per_s"] > 0


def test_listing_without_chess(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(bench, "import_module", missing)
    found = bench.listing(0.1)
    assert found["ours_per_s"] > 0
    assert found["chess_per_s"] is None
    assert found["ratio"] is None
    assert found["first_ratio"] is None


def test_applying_names_the_slowest_kind():
    found = bench.applying(0.05)
    assert found["mean_us"] > 0
    assert found["slowest_us"] > 0
    assert found["slowest"][0].isupper()
