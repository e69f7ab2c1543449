"""Members that override one another."""

from __future__ import annotations

from unitcraft.explore.plausibility.overrides import at_its_place, overrides_of

SOURCE = """
class Parcel:
    def send(self, town, by): return 0
class Letter(Parcel):
    def send(self, place, by): return place.upper()
class Stone:
    def send(self, town): return 1
"""


def test_members_of_bases_and_heirs_override_one_another_by_place(lab):
    subject = lab(SOURCE).subject
    found = {name: [one.id for one in kin] for name, kin in overrides_of(subject).items() if kin}
    assert found == {
        "sample:Parcel.send": ["sample:Letter.send"],
        "sample:Letter.send": ["sample:Parcel.send"],
    }


def test_a_parameter_is_found_by_name_then_by_place(lab):
    send = {one.id: one for one in lab(SOURCE).subject.invocables if one.name == "send"}
    parcel, letter = send["sample:Parcel.send"], send["sample:Letter.send"]
    found = [at_its_place(one, parcel, letter).name for one in parcel.parameters]
    assert found == ["place", "by"]
    assert at_its_place(parcel.parameters[1], parcel, send["sample:Stone.send"]) is None
