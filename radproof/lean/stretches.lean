namespace Radproof

/-! So many events in one: what a file in stretches says of a run. -/

/-- So many events. -/
def steps (c : Config) : Nat → State → State
  | 0, s => s
  | k + 1, s => step c (steps c k s)

/-- What an iteration of this batch lasts. -/
def lasts (c : Config) (batch : List Entry) : Nat := c.rules.duration (tokSum batch) c.deployment

/-- Whether every job of this batch has so much left after `k` shares that it takes its share again:
a decode 1, a prompt its share. One walk: the batch's entries stand in the order of the list. -/
def repeatsAlong (c : Config) (k : Nat) : List Job → List Entry → Bool
  | _, [] => true
  | [], _ :: _ => false
  | j :: rest, e :: more =>
    match Nat.beq e.number j.number with
    | true =>
      cond
        (Nat.ble (cond j.decoding 1 e.tokens) (c.rules.left (phaseTotal j) (j.done + e.tokens * k)))
        (repeatsAlong c k rest more) false
    | false => repeatsAlong c k rest (e :: more)

/-- Every job after `k` shares more, in one walk. -/
def advancedAlong (k : Nat) : List Job → List Entry → List Job
  | [], _ => []
  | j :: rest, [] => j :: rest
  | j :: rest, e :: more =>
    match Nat.beq e.number j.number with
    | true =>
      Job.mk j.number j.session j.decoding (j.done + e.tokens * k) :: advancedAlong k rest more
    | false => j :: advancedAlong k rest (e :: more)

/-- The state after `k + 1` ends of the iteration that runs to `t`, each time started again. -/
def stretchAlong (c : Config) (s : State) (t k : Nat) : State :=
  startWith c
    { s with
      now := t + lasts c s.iter * k,
      jobs := advancedAlong (k + 1) s.jobs s.iter,
      iter := [],
      iterEnd := none,
      served := s.served + tokSum s.iter * k,
      ended := [] }
    s.iter (tokSum s.iter)

end Radproof
