"""Sabotages of the mirror's text: of each definition at least one, each of which Lean takes.

A row is the definition, what is replaced in it (once), and by what.
"""

import re

from radproof.lean.definitions import mirror, stretches

SABOTAGES = (
    ("minimum", "a b) a b", "a b) b a"),
    ("maximum", "Nat.ble b a", "Nat.ble a b"),
    ("same", "cond b false true", "cond b true false"),
    ("same", "cond a b", "cond a true"),
    ("force", "f 0", "f 1"),
    ("force", "f (k + 1)", "f k"),
    ("turnOnto", "(a :: done)", "done"),
    ("join", "turnOnto first []", "first"),
    ("size", "size rest + 1", "size rest"),
    ("total", "total f rest + f a", "f a"),
    ("gcdWithin", "a % (k + 1)", "k"),
    ("gcdWithin", "| 0 => a", "| 0 => b"),
    ("leastMultiple", "a * b / gcdWithin b a b", "a * b"),
    ("lcmOfTiles", "d.bRed", "d.bCol"),
    ("lcmOfTiles", "d.bRow", "d.bLcm"),
    ("notAfter", "Nat.ble a b", "Nat.ble b a"),
    ("notAfter", "notAfter as bs", "false"),
    ("insertBy", "(key j) (key k)", "(key k) (key j)"),
    ("sortBy", "insertBy key j (sortBy key rest)", "j :: sortBy key rest"),
    ("chain", "x :: chain a b", "chain a b"),
    ("chain", "| [], b => b", "| [], _ => []"),
    ("chains", "chain a (chains rest)", "a"),
    ("alike", "alike n s", "[]"),
    ("numbersFrom", "number + 1", "number + 2"),
    ("arrivalsFrom", "Arrival.mk n session", "Arrival.mk number session"),
    ("jobsFrom", "session decoding done", "session decoding 0"),
    ("entriesFrom", "decoding tokens", "true tokens"),
    ("rad", "Nat.ble d.bCol decodes", "Nat.ble (d.bCol - 1) decodes"),
    ("rad", "same mode decoding", "true"),
    ("rad", "cond mode d.bCol d.bLcm", "d.bLcm"),
    ("rad", "minimum left d.chunk", "left"),
    ("rad", "minimum wanted remaining", "wanted"),
    ("rad", "maximum 1", "maximum 0"),
    ("rad", "tokens + d.bCol - 1", "tokens"),
    ("rad", "served + tokens", "served"),
    ("rad", "done + share", "share"),
    ("rad", "total - done", "total"),
    ("rad", "fun jobs => jobs", "fun jobs => turnOnto jobs []"),
    ("decodes", "cond j.decoding 1 0", "1"),
    ("decodeMode", "(decodes jobs) (size jobs)", "(size jobs) (decodes jobs)"),
    ("serves", "mode j.decoding", "j.decoding mode"),
    ("unprefilled", "cond j.decoding j.session.prompt j.done", "j.done"),
    ("wantOf", "(unprefilled c j)", "j.session.prompt"),
    ("fillIter", "| false => fillIter c mode rest remaining", "| false => []"),
    ("fillIter", "remaining - (t + 1)", "remaining"),
    ("fillIter", "(wantOf c j) remaining", "remaining (wantOf c j)"),
    ("batchIn", "c.rules.order jobs", "jobs"),
    ("batchIn", "budget mode", "budget false"),
    ("batchOf", "| true => batchIn c true jobs", "| true => batchIn c false jobs"),
    ("tokSum", "e.tokens", "1"),
    ("recordOf", "served := s.served", "served := s.served + tokens"),
    ("recordOf", "cond e.decoding 0 e.tokens", "e.tokens"),
    ("recordOf", "cond e.decoding 1 0", "cond e.decoding e.tokens 0"),
    ("recordOf", "residents := size s.jobs", "residents := size batch"),
    ("recordOf", "total (wantOf c) s.jobs", "tokens"),
    ("startWith", "servedAfter s.served tokens", "servedAfter tokens s.served"),
    ("startWith", "some (s.now + c.rules.duration", "some (c.rules.duration"),
    ("startWith", "last := some (recordOf c s batch tokens)", "last := s.last"),
    ("startIteration", "| [] => s", "| [] => startWith c s [] 0"),
    ("shareOf", "e.tokens (shareOf number rest)", "e.tokens 0"),
    ("without", "cond (Nat.beq e.number number) rest", "cond (Nat.beq e.number number) []"),
    ("finished", "true 0", "true 1"),
    ("finished", "Outcome.finishes j.number", "Outcome.stays j"),
    ("phaseTotal", "j.session.output j.session.prompt", "j.session.prompt j.session.output"),
    ("outcome", "doneAfter j.done (t + 1)", "doneAfter (t + 1) j.done"),
    ("outcome", "| 0 => finished j", "| 0 => Outcome.stays j"),
    ("place", "goOn (j :: stay) rejoin ended", "goOn stay (j :: rejoin) ended"),
    ("place", "(n :: ended)", "ended"),
    ("endIteration", "now := t", "now := s.now"),
    ("endIteration", "turnOnto rejoin []", "rejoin"),
    ("endIteration", "turnOnto ended []", "ended"),
    ("endIteration", "(e :: without j.number more)", "more"),
    ("admitted", "true 0 :: admitted rest", "false 0 :: admitted rest"),
    ("admitted", "| 0, 0 => admitted rest", "| 0, 0 => Job.mk a.number a.session true 0 :: []"),
    ("endingAtOnce", "a.number :: endingAtOnce rest", "endingAtOnce rest"),
    ("nextEvent", "a.session.arrive t", "(a.session.arrive + 1) t"),
    ("nextEvent", "| a :: later, none => some (Event.arrival a later)", "| _ :: _, none => none"),
    ("handle", "join s.jobs (admitted [a])", "join (admitted [a]) s.jobs"),
    ("handle", "ended := endingAtOnce [a]", "ended := s.ended"),
    ("pendingAt", "Nat.ble a.session.arrive t", "false"),
    ("afterEvent", "| some _ => s", "| some _ => startIteration c s"),
    ("afterEvent", "(pendingAt s.now s.pending)", "(pendingAt 0 s.pending)"),
    ("workedOut", "jobs := j :: rest", "jobs := rest"),
    ("step", "| none => s", "| none => startIteration c s"),
    ("step", "afterEvent c (State.mk now pending (j :: rest)", "(State.mk now pending (j :: rest)"),
    ("numbered", "number + 1", "number"),
    ("insertArrival", "(a :: b :: rest)", "(b :: a :: rest)"),
    ("inOrder", "insertArrival a (inOrder rest)", "a :: inOrder rest"),
    ("atZero", "a.session.arrive 0", "a.session.arrive 1"),
    ("afterZero", "(afterZero rest) (a :: rest)", "rest (a :: rest)"),
    ("startOf", "served := 0", "served := 1"),
    ("startOf", "endingAtOnce (atZero arrivals)", "[]"),
    ("start", "inOrder (numbered 0 path)", "numbered 0 path"),
    ("token_rate", "i.start", "i.stop"),
    ("optimal_tiling", "i.tokens d.bLcm", "i.tokens d.bCol"),
    ("optimal_tiling", "|| Nat.beq i.decoders i.residents", "|| Nat.beq i.decoding i.residents"),
    ("given_optimal_tiling", "d.bLcm", "d.bCol"),
    ("onLast", "| none => true", "| none => false"),
    ("jobOK", "Nat.ble 1 left", "Nat.ble 0 left"),
    ("jobOK", "decoding ||", "false ||"),
    ("arrivalOK", "d.bLcm", "d.bCol"),
    ("entryOK", "tokens % d.bLcm", "tokens % d.bCol"),
    ("rateAt", "d.tNl * d.bCol", "d.tNl"),
    ("rateRunning", "Nat.ble now ending &&", "true &&"),
    ("fewDecodes", "Nat.ble count d.bCol", "Nat.ble count d.bLcm"),
    ("amongst", "|| amongst number rest", "|| false"),
    ("distinct", "(amongst n rest) false", "(amongst n rest) true"),
    ("leftOf", "j.done", "0"),
    ("numbersOf", "j.number", "j.done"),
    ("owners", "(fun a => a.number)", "(fun a => a.number + 1)"),
    ("shareOK", "e.tokens j.decoding", "e.tokens e.decoding"),
    ("R", "distinct (owners s)", "true"),
    ("R", "amongst e.number (numbersOf s.jobs)", "true"),
    ("sortedFrom", "sortedFrom a.session.arrive rest", "sortedFrom time rest"),
    ("RateInv", "sortedFrom s.now s.pending", "true"),
    ("rateNow", "rateRunning s.now t", "rateRunning t t"),
    ("RateInv", "&& onLast token_rate c s", "&& true"),
    ("DecodeBound", "decodes s.jobs", "size s.jobs"),
    ("Tiled", "= true", "= false"),
    ("Tiled", "List.all path", "List.all []"),
    ("Reach", "(start c path)", "(start c [])"),
    ("Reach", "(start c path)", "(step c (start c path))"),
    ("Reach", "(step c s)", "s"),
    ("Reach", "(step c s)", "(step c (step c s))"),
    ("EveryIteration", "family path → ", ""),
    ("EveryIteration", "Reach c path s → ", ""),
    ("EveryIteration", "Reach c path s → onLast claim c s = true", "Reach c path s"),
    ("EveryIteration", "onLast claim c s", "onLast claim c (step c s)"),
    ("EveryIteration", "= true", "= false"),
)

STRETCHES = (
    ("steps", "| 0, s => s", "| 0, s => step c s"),
    ("steps", "step c (steps c k s)", "steps c k s"),
    ("lasts", "(tokSum batch)", "1"),
    ("repeatsAlong", "decoding 1 e.tokens)", "decoding 1 1)"),
    ("repeatsAlong", "decoding 1 e.tokens)", "decoding 2 e.tokens)"),
    ("repeatsAlong", "e.tokens * k", "e.tokens"),
    ("repeatsAlong", "(repeatsAlong c k rest more) false", "true false"),
    ("repeatsAlong", "| [], _ :: _ => false", "| [], _ :: _ => true"),
    ("repeatsAlong", "repeatsAlong c k rest (e :: more)", "repeatsAlong c k rest more"),
    ("advancedAlong", "e.tokens * k", "e.tokens"),
    ("advancedAlong", "| j :: rest, [] => j :: rest", "| _ :: _, [] => []"),
    ("advancedAlong", "j :: advancedAlong k rest (e :: more)", "j :: rest"),
    ("stretchAlong", "t + lasts c s.iter * k", "t"),
    ("stretchAlong", "advancedAlong (k + 1)", "advancedAlong k"),
    ("stretchAlong", "s.served + tokSum s.iter * k", "s.served"),
    ("stretchAlong", "ended := []", "ended := s.ended"),
    ("stretchAlong", "s.iter (tokSum s.iter)", "s.iter 0"),
)
"""Of what a file in stretches has beside the mirror."""


def definitions(text: str | None = None) -> dict[str, str]:
    """The definitions of the mirror or another text, by name: each up to the next blank line.

    An inductive family of propositions is one too.
    """
    found = {}
    for block in (mirror() if text is None else text).split("\n\n"):
        begins = re.search(r"^(?:def (\w+)|inductive (\w+) \()", block, re.MULTILINE)
        if begins:
            found[begins[1] or begins[2]] = block[begins.start() :]
    return found


def sabotaged(name: str, before: str, after: str) -> str:
    """The mirror's text with one place of one definition changed."""
    return _changed(mirror(), name, before, after)


def sabotaged_stretches(name: str, before: str, after: str) -> str:
    """The text of what a file in stretches has beside the mirror, changed in the same way."""
    return _changed(stretches(), name, before, after)


def _changed(whole: str, name: str, before: str, after: str) -> str:
    text = definitions(whole)[name]
    assert before in text, (name, before)
    return whole.replace(text, text.replace(before, after, 1)).strip()
