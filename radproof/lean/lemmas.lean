/-! The lemmas of the two proofs as statements over the mirror's own definitions.

A statement needs no proof to be stated, so each is a `def` of type `Prop`; the files of Proofs/ prove
each of them, under the same name in `Radproof.Proved`. The names are those of serQ's Exec.lean,
Claim.lean and Bari.lean; where Lean's model has more (pools, stacks, stages), the statement is the
part that the mirror has. `rc d` is RAD on the deployment `d`. -/

namespace Radproof

def rc (d : Deployment) : Config := { deployment := d, rules := rad }

/-- A deployment as the theorems have it: b_lcm is a positive multiple of b_col, and a chunk covers
it. -/
def Wide (d : Deployment) : Prop :=
  0 < d.bCol ∧ 0 < d.bLcm ∧ d.bLcm % d.bCol = 0 ∧ d.bLcm ≤ d.chunk

/-- A deployment as Bari.lean has it: one tile, and chunks of a tile. -/
def Plain (d : Deployment) : Prop := 0 < d.bCol ∧ d.bLcm = d.bCol ∧ d.chunk = d.bLcm

/-- A scheduler in rule form, of any order, modes and budget, that pays at least the tiled price for
the tokens of a batch and counts none twice (Claim.lean: RateBound). -/
def Priced (c : Config) : Prop :=
  (∀ tokens, tokens * (c.deployment.tLin + c.deployment.tNl * c.deployment.bCol)
    ≤ c.deployment.bCol * c.rules.duration tokens c.deployment) ∧
  (∀ served tokens, c.rules.servedAfter served tokens ≤ served + tokens)

/-- The induction schema: an invariant that holds at the start, that a step keeps, and that gives the
claim. -/
def every_iteration_of : Prop :=
  ∀ (c : Config) (family : List Session → Prop) (inv : State → Prop)
    (claim : Deployment → Record → Bool),
    (∀ path, family path → inv (start c path)) →
    (∀ s, inv s → inv (step c s)) →
    (∀ s, inv s → onLast claim c s = true) →
    EveryIteration c family claim

/-! Lists and budgets. -/

def fillAmounts_sum : Prop :=
  ∀ (d : Deployment) (mode : Bool) (jobs : List Job) (left : Nat),
    List.all jobs (fun j => serves (rc d) mode j && Nat.ble 1 (wantOf (rc d) j)) = true →
    tokSum (fillIter (rc d) mode jobs left) = minimum left (total (wantOf (rc d)) jobs)

def fillAmounts_le_want : Prop :=
  ∀ (d : Deployment) (mode : Bool) (jobs : List Job) (left : Nat) (j : Job),
    distinct (numbersOf jobs) = true → amongst j.number (numbersOf jobs) = true →
    List.all jobs (fun k => cond (Nat.beq k.number j.number)
      (Nat.ble (shareOf k.number (fillIter (rc d) mode jobs left)) (wantOf (rc d) k)) true) = true

def fillAmounts_zero : Prop :=
  ∀ (d : Deployment) (mode : Bool) (jobs : List Job), fillIter (rc d) mode jobs 0 = []

/-- First come, first served: if a later job gets a token, the one before got all it wants. -/
def fillAmounts_fifo : Prop :=
  ∀ (d : Deployment) (mode : Bool) (j : Job) (jobs : List Job) (left : Nat) (e : Entry)
    (rest : List Entry),
    serves (rc d) mode j = true → fillIter (rc d) mode (j :: jobs) left = e :: rest →
    rest = [] ∨ e.tokens = wantOf (rc d) j

/-- Fewer decodes than the budget: one token for each, in order. -/
def fillIter_ones : Prop :=
  ∀ (d : Deployment) (jobs : List Job) (left : Nat),
    List.all jobs (fun j => j.decoding) = true → size jobs ≤ left →
    fillIter (rc d) true jobs left = List.map (fun j => Entry.mk j.number true 1) jobs

def tokSum_fillIter : Prop :=
  ∀ (d : Deployment) (mode : Bool) (jobs : List Job) (left : Nat),
    tokSum (fillIter (rc d) mode jobs left) ≤ left

def shareOf_fillIter : Prop :=
  ∀ (d : Deployment) (mode : Bool) (j : Job) (jobs : List Job) (left : Nat),
    shareOf j.number (fillIter (rc d) mode (j :: jobs) left) ≤
      total (fun k => cond (Nat.beq k.number j.number) (wantOf (rc d) k) 0) (j :: jobs)

/-! The rate. -/

def tiled_rate : Prop :=
  ∀ (d : Deployment) (b : Nat), 0 < d.bCol →
    b * (d.tLin + d.tNl * d.bCol) ≤ d.bCol * rad.duration b d

/-- RAD pays the tiled price. -/
def rad_priced : Prop := ∀ (d : Deployment), 0 < d.bCol → Priced (rc d)

def startIteration_inv : Prop :=
  ∀ (c : Config) (s : State), Priced c → s.iterEnd = none →
    RateInv c s = true → RateInv c (startIteration c s) = true

/-- One event keeps the rate's invariant. -/
def step_inv : Prop :=
  ∀ (c : Config) (s : State), Priced c → RateInv c s = true → RateInv c (step c s) = true

def reach_inv : Prop :=
  ∀ (c : Config) (path : List Session) (s : State), Priced c →
    Reach c path s → RateInv c s = true

/-- Theorem 1 for every scheduler in rule form that pays at least the tiled price. -/
def served_rate : Prop :=
  ∀ (c : Config), Priced c → EveryIteration c (fun _ => True) token_rate

/-- Theorem 1 for RAD. -/
def BariRad_token_rate : Prop :=
  ∀ (d : Deployment), 0 < d.bCol → EveryIteration (rc d) (fun _ => True) token_rate

/-! The tiling. -/

def serves_rad : Prop :=
  ∀ (d : Deployment) (mode : Bool) (j : Job),
    serves (rc d) mode j = true ↔ (mode = true → j.decoding = true) ∧ (mode = false → j.decoding = false)

/-- Bari.lean's deployments are amongst those of the theorems. -/
def plain_wide : Prop := ∀ (d : Deployment), Plain d → Wide d

/-- Under R every entry is a tile or a decode's, and the batch fills its tile or all decode. -/
def rad_batch : Prop :=
  ∀ (d : Deployment) (s : State), Wide d → R (rc d) s = true → s.jobs ≠ [] →
    List.all (batchOf (rc d) s.jobs) (fun e => shareOK (rc d) s.jobs e) = true ∧
    ((tokSum (batchOf (rc d) s.jobs) = d.bCol ∨ tokSum (batchOf (rc d) s.jobs) = d.bLcm) ∨
      total (fun e => cond e.decoding 1 0) (batchOf (rc d) s.jobs) = size s.jobs)

def rad_start : Prop :=
  ∀ (d : Deployment) (s : State), Wide d → R (rc d) s = true →
    R (rc d) (startIteration (rc d) s) = true ∧
    (s.jobs ≠ [] → onLast optimal_tiling (rc d) (startIteration (rc d) s) = true)

def rad_handle : Prop :=
  ∀ (d : Deployment) (s : State) (e : Event), Wide d → R (rc d) s = true →
    nextEvent s = some e → R (rc d) (handle (rc d) s e) = true

/-- What arrives joins with its whole prompt, a multiple of the tile by R3 (run and settle). -/
def rad_exec : Prop :=
  ∀ (d : Deployment) (a : Arrival), Wide d → arrivalOK a.session.prompt d = true →
    List.all (admitted [a]) (fun j => jobOK (leftOf (rc d) j) j.decoding d) = true

def rad_settle : Prop :=
  ∀ (d : Deployment) (arrivals : List Arrival), Wide d →
    List.all arrivals (fun a => arrivalOK a.session.prompt d) = true →
    List.all (admitted arrivals) (fun j => jobOK (leftOf (rc d) j) j.decoding d) = true

def rad_initial : Prop :=
  ∀ (d : Deployment) (path : List Session), Wide d → Tiled d path →
    R (rc d) (start (rc d) path) = true

/-- Theorem 2: every batch of RAD fills its tile, or every resident decodes. -/
def BariRad_optimal_tiling : Prop :=
  ∀ (d : Deployment), Wide d → EveryIteration (rc d) (Tiled d) optimal_tiling

/-! Beyond Bari.lean. -/

/-- At most b_col decodes, where every prompt is a positive multiple of the tile. -/
def decode_bound : Prop :=
  ∀ (d : Deployment) (path : List Session) (s : State), Wide d → Tiled d path →
    List.all path (fun s => Nat.ble 1 s.prompt) = true → Reach (rc d) path s →
    DecodeBound (rc d) s = true

/-- The prompts of a list stand in order of arrival, none before `time`, and none has begun. -/
def waiting (time : Nat) : List Job → Bool
  | [] => true
  | j :: rest =>
    cond j.decoding (waiting time rest)
      (Nat.ble time j.session.arrive && Nat.beq j.done 0 && waiting j.session.arrive rest)

/-- The prompts of a list stand in order of arrival, and none but the first has begun. -/
def inTurn : List Job → Bool
  | [] => true
  | j :: rest => cond j.decoding (inTurn rest) (waiting j.session.arrive rest)

/-- Prompts are served in order of arrival, whatever their lengths: one is begun only where every
earlier one is done. -/
def arrival_order : Prop :=
  ∀ (d : Deployment) (path : List Session) (s : State), 0 < d.bCol → d.bLcm ≤ d.chunk →
    Reach (rc d) path s → inTurn s.jobs = true

/-- Every iteration has a token. -/
def nonempty_batch : Prop :=
  ∀ (d : Deployment) (j : Job) (jobs : List Job), Wide d →
    R (rc d) (State.mk 0 [] (j :: jobs) [] none 0 none []) = true →
    1 ≤ tokSum (batchOf (rc d) (j :: jobs))

/-- The clock: what an iteration lasts beyond its tokens' share of full tiles is the waste of its
part-filled tile. -/
def clock_identity : Prop :=
  ∀ (d : Deployment) (b : Nat), 0 < d.bCol → 1 ≤ b → 1 ≤ d.tLin →
    d.bCol * rad.duration b d =
      b * (d.tLin + d.tNl * d.bCol) + d.tLin * (((b + d.bCol - 1) / d.bCol) * d.bCol - b)

/-! The leap: so many repetitions of an iteration are one stretch. -/

/-- A job after so many shares of this batch. -/
def advanced (batch : List Entry) (k : Nat) (j : Job) : Job :=
  Job.mk j.number j.session j.decoding (j.done + shareOf j.number batch * k)

/-- The state after `k + 1` ends of the iteration that runs to `t`, each time started again: at the
last end, every job has `k + 1` shares more, and the same batch starts once more. -/
def stretch (c : Config) (s : State) (t k : Nat) : State :=
  startWith c
    { s with
      now := t + lasts c s.iter * k,
      jobs := List.map (advanced s.iter (k + 1)) s.jobs,
      iter := [],
      iterEnd := none,
      served := s.served + tokSum s.iter * k,
      ended := [] }
    s.iter (tokSum s.iter)

/-- A scheduler that counts each token once. -/
def Counts (c : Config) : Prop :=
  (∀ served tokens, c.rules.servedAfter served tokens = served + tokens) ∧
  (∀ done share, c.rules.doneAfter done share = done + share)

/-- A scheduler that fills its batches as RAD does. Which phase it serves, in which mode, with which
budget and at which price may differ. -/
def FillsAsRad (c : Config) : Prop :=
  (∀ jobs, c.rules.order jobs = jobs) ∧
  (∀ wanted remaining, c.rules.take wanted remaining = minimum wanted remaining) ∧
  (∀ decoding left d, c.rules.want decoding left d = cond decoding 1 (minimum left d.chunk)) ∧
  (∀ total done, c.rules.left total done = total - done) ∧ Counts c

/-- Whether a job that this batch serves has work left after so many shares. -/
def staysFor (c : Config) (batch : List Entry) (k : Nat) (j : Job) : Bool :=
  cond (Nat.beq (shareOf j.number batch) 0) true (Nat.ble 1 (leftOf c (advanced batch k j)))

/-- Whether it has so much left that it takes its share again: a decode 1, a prompt its share. -/
def repeatsFor (c : Config) (batch : List Entry) (k : Nat) (j : Job) : Bool :=
  cond (Nat.beq (shareOf j.number batch) 0) true
    (Nat.ble (cond j.decoding 1 (shareOf j.number batch)) (leftOf c (advanced batch k j)))

/-- Any scheduler in rule form that counts: while nobody comes, everybody stays, and the batch that
would start is the one that ran, `k + 1` events are one stretch. -/
def leap_affine : Prop :=
  ∀ (c : Config) (s : State) (t k : Nat), Counts c → distinct (numbersOf s.jobs) = true →
    s.jobs ≠ [] → s.iter ≠ [] → s.iterEnd = some t →
    pendingAt (t + lasts c s.iter * k) s.pending = false →
    (∀ i, i ≤ k → List.all s.jobs (fun j => staysFor c s.iter (i + 1) j) = true ∧
      batchOf c (List.map (advanced s.iter (i + 1)) s.jobs) = s.iter) →
    steps c (k + 1) s = stretch c s t k

/-- The batch stays the same while the work left covers its shares. -/
def leap_share : Prop :=
  ∀ (c : Config) (jobs : List Job) (k : Nat), FillsAsRad c → distinct (numbersOf jobs) = true →
    List.all jobs (fun j => repeatsFor c (batchOf c jobs) k j) = true →
    batchOf c (List.map (advanced (batchOf c jobs) k) jobs) = batchOf c jobs

/-- The leap: it is enough to look at the stretch's last end. -/
def leap : Prop :=
  ∀ (c : Config) (s : State) (t k : Nat), FillsAsRad c → distinct (numbersOf s.jobs) = true →
    s.iter ≠ [] → s.iterEnd = some t → batchOf c s.jobs = s.iter →
    pendingAt (t + lasts c s.iter * k) s.pending = false →
    List.all s.jobs (fun j => repeatsFor c s.iter (k + 1) j) = true →
    steps c (k + 1) s = stretch c s t k

/-! The leap for long lists: one walk through the jobs with the batch in hand. -/

/-- No number comes twice in a state that is reached, whatever the rules. -/
def reached_once : Prop :=
  ∀ (c : Config) (path : List Session) (s : State), Reach c path s →
    distinct (numbersOf s.jobs) = true

/-- What is reached goes on to be reached. -/
def reached_on : Prop :=
  ∀ (c : Config) (path : List Session) (s : State) (k : Nat), Reach c path s →
    Reach c path (steps c k s)

/-- The leap, by tests that walk through the list once. -/
def leap_along : Prop :=
  ∀ (c : Config) (s : State) (t k : Nat), FillsAsRad c → distinct (numbersOf s.jobs) = true →
    s.iter ≠ [] → s.iterEnd = some t → batchOf c s.jobs = s.iter →
    pendingAt (t + lasts c s.iter * k) s.pending = false →
    repeatsAlong c (k + 1) s.jobs s.iter = true →
    steps c (k + 1) s = stretchAlong c s t k

end Radproof
