
/-! The names of serQ's package that an emitted serQ term uses, over the mirror's machine. A stub: it
shows that the text elaborates and that its facts are the mirror's, not that serQ has them.

What a term uses has the signature that the package (github.com/servingQ/serQ) gives it: the names
and the order of arguments and fields, what is implicit, defaults and types, where `ℕ` is `Nat`. The
definitions are the stub's own. The signatures are read from

- lean/Serq/Exec.lean at 5de1f0dbb94e480c96ac3754fd5a57a3c0420950: `Env` to `Workload.attr`, `start`,
  `step`, `runW`, `observed`. Of `Machine` the stub has the fields that a term reads, then two of its
  own; `Prog` has RAD's program alone.
- lean/Serq/Claim.lean at the same commit: `Reach`, `EveryIteration`.
- lean/Serq/Claims.lean at c885b9d15e391e5dabe23cd066fe019dab3e78d6: `Claims.BariRad`. That file was
  not to be had at 5de1f0db; lean/Serq/Papers/Bari.lean there uses these names in this form.
- lean/Serq/Core.lean at 6087a480d6901eab5baa48c25b25048a9ca3b7e6: `Mode`. -/

namespace SerqLang

inductive Mode where
  | plain
  | prefill
  | decode

namespace Exec

inductive Prog where
  | rad

structure Env where
  attr : Nat → Nat
  serial : Nat
  now : Nat
  cached : Nat
  cachedIn : Nat → Nat
  budgetLeft : Nat

structure PoolDef where
  cap : Nat
  block : Nat
  viaEngine : Bool
  key : Option (Env → Nat)

structure ServeEnv where
  attr : Nat → Nat
  decoding : Nat
  admission : Nat
  remaining : Nat
  residents : Nat
  decoders : Nat

structure IterStats where
  tokens : Nat
  prefilled : Nat
  decoders : Nat
  kvDecode : Nat
  attention2 : Nat

structure ChunkEnv where
  residents : Nat
  queued : Nat → Nat

structure Deployment where
  pools : List PoolDef
  budget : Nat
  chunk : Nat
  memory : Option Nat
  cost : IterStats → Nat
  only : Option (ServeEnv → Nat)
  chunkAt : Option (ChunkEnv → Nat)

structure IterRec where
  start : Nat := 0
  served : Nat := 0
  stats : IterStats := ⟨0, 0, 0, 0, 0⟩
  residents : Nat := 0
  demand : Nat := 0
  arrived : Nat := 0
  queued : List Nat := []
  holders : List Nat := []
  used : List Nat := []

structure Workload where
  init : List (List (Nat × Nat))
  turns : List (List (List (Nat × Nat))) := []
  turnSlot : Option Nat := none
  moreSlot : Nat := 0
  computedSlot : Option Nat := none
  arriveSlot : Option Nat := none

structure Job where
  owner : Nat
  mode : Mode
  left : Nat
  growing : Option Nat

/-- `arrive` and `mirror` are the stub's own: when each session arrives, and the mirror's state. -/
structure Machine where
  now : Nat
  jobs : List Job
  obs : List (Nat × Nat × Nat × Nat)
  preempts : Nat
  iterEnd : Option (Nat × Nat)
  last : IterRec
  arrive : Nat → Nat
  mirror : Radproof.State

def valueOf (slot : Nat) : List (Nat × Nat) → Nat
  | [] => 0
  | (k, v) :: rest => cond (Nat.beq k slot) v (valueOf slot rest)

def attrsOf : List (List (Nat × Nat)) → Nat → List (Nat × Nat)
  | [], _ => []
  | s :: _, 0 => s
  | _ :: rest, i + 1 => attrsOf rest i

def Workload.attr (w : Workload) (i slot : Nat) : Nat := valueOf slot (attrsOf w.init i)

/-! The mirror's configuration of a deployment: its budget, its chunk, whom it serves, its cost. -/

def servesDecodes (only : Option (ServeEnv → Nat)) (decoders residents : Nat) : Bool :=
  match only with
  | none => true
  | some p => Nat.ble 1 (p (ServeEnv.mk (fun _ => 0) 1 0 1 residents decoders))

def configOf (D : Deployment) : Radproof.Config :=
  { deployment := Radproof.Deployment.mk D.budget 1 1 D.budget 0 0 D.chunk,
    rules :=
      { Radproof.rad with
        decodeMode := fun decodes residents _ => servesDecodes D.only decodes residents,
        duration := fun tokens _ => Radproof.maximum 1 (D.cost (IterStats.mk tokens 0 0 0 0)) } }

/-! A state with every number worked out: what the next event reads must not grow into long sums. -/

def eachOf {α β : Type} (one : α → (α → β) → β) : List α → (List α → β) → β
  | [], f => f []
  | a :: rest, f => one a (fun b => eachOf one rest (fun done => f (b :: done)))

def truthOf {α : Type} (b : Bool) (f : Bool → α) : α :=
  match b with
  | true => f true
  | false => f false

def sessionOf {α : Type} (s : Radproof.Session) (f : Radproof.Session → α) : α :=
  Radproof.force s.arrive (fun arrive =>
  Radproof.force s.prompt (fun prompt =>
  Radproof.force s.output (fun output => f (Radproof.Session.mk arrive prompt output))))

def arrivalOf {α : Type} (a : Radproof.Arrival) (f : Radproof.Arrival → α) : α :=
  Radproof.force a.number (fun n => sessionOf a.session (fun s => f (Radproof.Arrival.mk n s)))

def residentOf {α : Type} (j : Radproof.Job) (f : Radproof.Job → α) : α :=
  Radproof.force j.number (fun n =>
  sessionOf j.session (fun s =>
  truthOf j.decoding (fun decoding =>
  Radproof.force j.done (fun done => f (Radproof.Job.mk n s decoding done)))))

def entryOf {α : Type} (e : Radproof.Entry) (f : Radproof.Entry → α) : α :=
  Radproof.force e.number (fun n =>
  truthOf e.decoding (fun decoding =>
  Radproof.force e.tokens (fun tokens => f (Radproof.Entry.mk n decoding tokens))))

def endOf {α : Type} (t : Option Nat) (f : Option Nat → α) : α :=
  match t with
  | none => f none
  | some t => Radproof.force t (fun t => f (some t))

def recordOf {α : Type} (r : Option Radproof.Record) (f : Option Radproof.Record → α) : α :=
  match r with
  | none => f none
  | some i =>
    Radproof.force i.start (fun start =>
    Radproof.force i.served (fun served =>
    Radproof.force i.tokens (fun tokens =>
    Radproof.force i.decoders (fun decoders =>
    Radproof.force i.residents (fun residents =>
      f (some { i with
        start := start,
        served := served,
        tokens := tokens,
        decoders := decoders,
        residents := residents }))))))

def workedOut {α : Type} (s : Radproof.State) (f : Radproof.State → α) : α :=
  Radproof.force s.now (fun now =>
  eachOf arrivalOf s.pending (fun pending =>
  eachOf residentOf s.jobs (fun jobs =>
  eachOf entryOf s.iter (fun iter =>
  endOf s.iterEnd (fun iterEnd =>
  Radproof.force s.served (fun served =>
  recordOf s.last (fun last =>
  eachOf Radproof.force s.ended (fun ended =>
    f (Radproof.State.mk now pending jobs iter iterEnd served last ended)))))))))

/-! A machine of a state of the mirror. -/

def lastOf : Option Radproof.Record → IterRec
  | none => {}
  | some i =>
    { start := i.start,
      served := i.served,
      stats := IterStats.mk i.tokens i.prefilled i.decoders 0 0,
      residents := i.residents,
      demand := i.demand }

def iterEndOf : Option Nat → Option (Nat × Nat)
  | none => none
  | some t => some (t, 0)

def jobOf (c : Radproof.Config) (j : Radproof.Job) : Job :=
  Job.mk j.number (cond j.decoding Mode.decode Mode.prefill) (Radproof.leftOf c j) none

/-- What the sessions that end now observe, the latest first: 0, session, time, response. -/
def observing (now : Nat) (arrive : Nat → Nat) (obs : List (Nat × Nat × Nat × Nat)) :
    List Nat → List (Nat × Nat × Nat × Nat)
  | [] => obs
  | n :: rest => observing now arrive ((0, n, now, now - arrive n) :: obs) rest

def machineOf (c : Radproof.Config) (arrive : Nat → Nat) (obs : List (Nat × Nat × Nat × Nat))
    (state : Radproof.State) : Machine :=
  workedOut state (fun s =>
    { now := s.now,
      jobs := List.map (jobOf c) s.jobs,
      obs := observing s.now arrive obs s.ended,
      preempts := 0,
      iterEnd := iterEndOf s.iterEnd,
      last := lastOf s.last,
      arrive := arrive,
      mirror := s })

/-- The first `n` sessions before those of `path`: slots 10, 11 and 12 are v_p, v_d and arrive. -/
def sessionsOf (init : Nat → Nat → Nat) (path : List Radproof.Session) :
    Nat → List Radproof.Session
  | 0 => path
  | n + 1 => sessionsOf init (Radproof.Session.mk (init n 12) (init n 10) (init n 11) :: path) n

def start (D : Deployment) (n : Nat) (init : Nat → Nat → Nat) (prog : Prog)
    (wl : Workload := ⟨[], [], none, 0, none, none⟩) : Machine :=
  machineOf (configOf D) (fun i => init i 12) []
    (Radproof.start (configOf D) (sessionsOf init [] n))

def step (D : Deployment) (m : Machine) : Machine :=
  match Radproof.nextEvent m.mirror with
  | none => m
  | some _ => machineOf (configOf D) m.arrive m.obs (Radproof.step (configOf D) m.mirror)

def timeOf : Radproof.Event → Nat
  | Radproof.Event.arrival a _ => a.session.arrive
  | Radproof.Event.iterationEnd t => t

/-- At most so many events, up to the horizon. -/
def eventsUpTo (D : Deployment) (horizon : Nat) : Nat → Machine → Machine
  | 0, m => m
  | more + 1, m =>
    match Radproof.nextEvent m.mirror with
    | none => m
    | some e => cond (Nat.ble (timeOf e) horizon) (eventsUpTo D horizon more (step D m)) m

def runW (D : Deployment) (horizon : Nat) (w : Workload) (prog : Prog) : Machine :=
  eventsUpTo D horizon ((horizon + 1) * (w.init.length + 1))
    (start D w.init.length w.attr prog w)

def inSerialOrder (a : Nat × Nat) : List (Nat × Nat) → List (Nat × Nat)
  | [] => [a]
  | b :: rest => cond (Nat.ble a.1 b.1) (a :: b :: rest) (b :: inSerialOrder a rest)

def observedAmong (name : Nat) (found : List (Nat × Nat)) :
    List (Nat × Nat × Nat × Nat) → List (Nat × Nat)
  | [] => found
  | (n, s, _, v) :: rest =>
    observedAmong name (cond (Nat.beq n name) (inSerialOrder (s, v) found) found) rest

def observed (m : Machine) (name : Nat) : List (Nat × Nat) := observedAmong name [] m.obs

inductive Reach (D : Deployment) (w : Workload) (P : Prog) : Machine → Prop where
  | start : Reach D w P (Exec.start D w.init.length w.attr P w)
  | step {m : Machine} : Reach D w P m → Reach D w P (Exec.step D m)

def EveryIteration (D : Deployment) (W : Workload → Prop) (P : Prog) (q : IterRec → Prop) : Prop :=
  ∀ w, W w → ∀ m, Reach D w P m → m.iterEnd.isSome = true → q m.last

/-- A Lean of today has this instance; one of 2021 has not, and has other names for the lemmas. -/
instance decideBelow (q : Nat → Prop) [each : ∀ i, Decidable (q i)] :
    (n : Nat) → Decidable (∀ i, i < n → q i)
  | 0 => isTrue (fun i below => absurd below (by
      first | exact Nat.notLtZero i | exact Nat.not_lt_zero i))
  | n + 1 =>
    match each n, decideBelow q n with
    | isFalse no, _ => isFalse (fun all => no (all n (by
        first | exact Nat.ltSuccSelf n | exact Nat.lt_succ_self n)))
    | isTrue _, isFalse no => isFalse (fun all => no (fun i below => all i (by
        first | exact Nat.leStep below | exact Nat.lt_succ_of_lt below)))
    | isTrue yes, isTrue rest =>
      isTrue (fun i below =>
        have split : i = n ∨ i < n := (by
          first
          | exact Nat.eqOrLtOfLe (Nat.leOfLtSucc below)
          | exact Nat.eq_or_lt_of_le (Nat.le_of_lt_succ below))
        match split with
        | Or.inl same => Eq.subst (motive := q) (Eq.symm same) yes
        | Or.inr less => rest i less)

end Exec

namespace Claims.BariRad

open Exec

def prog : Prog := Prog.rad

def deployment : Deployment :=
  { pools := [],
    budget := 128,
    chunk := 128,
    memory := none,
    cost := fun st => 4000 * ((st.tokens + 127) / 128) + 5 * st.tokens,
    only := some (fun e =>
      cond (Nat.ble 128 e.decoders || Nat.beq e.decoders e.residents) e.decoding (1 - e.decoding)),
    chunkAt := none }

def family_token_rate (w : Workload) : Prop :=
  w.init.length ≤ 500 ∧ w.turns = [] ∧ w.turnSlot = none ∧ w.computedSlot = some 8
    ∧ w.arriveSlot = some 12

def family_optimal_tiling (w : Workload) : Prop :=
  w.init.length ≤ 500 ∧ w.turns = [] ∧ w.turnSlot = none ∧ w.computedSlot = some 8
    ∧ w.arriveSlot = some 12 ∧ ∀ i, i < w.init.length → w.attr i 10 = 128 * (w.attr i 10 / 128)

end Claims.BariRad

end SerqLang
