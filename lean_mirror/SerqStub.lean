/- Generated; never edit it: radproof lean fixtures --bless -/

/-!
The step of an inference scheduler, event by event, on natural numbers.

Time is in whole microseconds, work in tokens. An arrival and the end of an iteration are separate
events; an arrival comes before an end at the same instant; an iteration starts once nothing else
is pending at that instant. The deployment and the rules are parameters, so that a faulty one can
be written. The rules, the claims and the invariants below `rad` are written by radproof from the
Python functions that run (`radproof/rules.py`, `radproof/claims.py`): never edit them here.

Core Lean 4, no imports; every recursion is structural, every check a Bool, every fact `rfl`. At the
end stands what is said of every path, as a Prop.
-/

namespace Radproof

/-- The tiles of equation (7) in tokens, its speeds in microseconds, and the most tokens that a
prefill takes in one iteration. `bLcm` is the least common multiple of the three tiles. -/
structure Deployment where
  bCol : Nat
  bRow : Nat
  bRed : Nat
  bLcm : Nat
  tLin : Nat
  tNl : Nat
  chunk : Nat

/-- One request: when it arrives, its prompt and its output in tokens. -/
structure Session where
  arrive : Nat
  prompt : Nat
  output : Nat

/-- A session still to come; `number` is its place in the path. -/
structure Arrival where
  number : Nat
  session : Session

/-- What a resident session is doing, and how many tokens of it are done. -/
structure Job where
  number : Nat
  session : Session
  decoding : Bool
  done : Nat

/-- A job's share of a batch. -/
structure Entry where
  number : Nat
  decoding : Bool
  tokens : Nat

/-- An iteration as read when it starts, after its batch is formed. `served` counts the tokens of
the earlier iterations, `decoders` the decodes in the batch, `decoding` all decodes resident. -/
structure Record where
  start : Nat
  stop : Nat
  served : Nat
  tokens : Nat
  prefilled : Nat
  decoders : Nat
  decoding : Nat
  residents : Nat
  demand : Nat

/-- The machine after an event. `iterEnd` is when the running batch `iter` ends, `last` the latest
iteration's record, `ended` the sessions that this event ended. -/
structure State where
  now : Nat
  pending : List Arrival
  jobs : List Job
  iter : List Entry
  iterEnd : Option Nat
  served : Nat
  last : Option Record
  ended : List Nat

/-- What a scheduler in rule form decides by; `radproof.rules.Rules`, and an order to serve in. -/
structure Rules where
  decodeMode : Nat → Nat → Deployment → Bool
  serves : Bool → Bool → Bool
  budget : Bool → Deployment → Nat
  want : Bool → Nat → Deployment → Nat
  take : Nat → Nat → Nat
  duration : Nat → Deployment → Nat
  servedAfter : Nat → Nat → Nat
  doneAfter : Nat → Nat → Nat
  left : Nat → Nat → Nat
  order : List Job → List Job

structure Config where
  deployment : Deployment
  rules : Rules

/-! Arithmetic and lists. -/

def minimum (a b : Nat) : Nat := cond (Nat.ble a b) a b

def maximum (a b : Nat) : Nat := cond (Nat.ble b a) a b

def same (a b : Bool) : Bool := cond a b (cond b false true)

/-- `f n`, with `n` worked out first: a number handed down a list must not grow into a long sum. -/
def force {α : Type} (n : Nat) (f : Nat → α) : α :=
  match n with
  | 0 => f 0
  | k + 1 => f (k + 1)

def turnOnto {α : Type} : List α → List α → List α
  | [], done => done
  | a :: rest, done => turnOnto rest (a :: done)

/-- The first list and then the second, all of it worked out at once. -/
def join {α : Type} (first second : List α) : List α := turnOnto (turnOnto first []) second

def size {α : Type} : List α → Nat
  | [] => 0
  | _ :: rest => size rest + 1

def total {α : Type} (f : α → Nat) : List α → Nat
  | [] => 0
  | a :: rest => total f rest + f a

/-- The greatest common divisor, in at most so many divisions (Euclid); the second number of them
is enough. -/
def gcdWithin : Nat → Nat → Nat → Nat
  | 0, a, _ => a
  | more + 1, a, b =>
    match b with
    | 0 => a
    | k + 1 => gcdWithin more (k + 1) (a % (k + 1))

def leastMultiple (a b : Nat) : Nat := a * b / gcdWithin b a b

/-- The least common multiple of the three tiles: what `bLcm` has to be. -/
def lcmOfTiles (d : Deployment) : Nat := leastMultiple (leastMultiple d.bCol d.bRow) d.bRed

/-- Whether the first list of numbers comes before or equals the second, as a dictionary has it. -/
def notAfter : List Nat → List Nat → Bool
  | [], _ => true
  | _ :: _, [] => false
  | a :: as, b :: bs => cond (Nat.beq a b) (notAfter as bs) (Nat.ble a b)

def insertBy (key : Job → List Nat) (j : Job) : List Job → List Job
  | [] => [j]
  | k :: rest => cond (notAfter (key j) (key k)) (j :: k :: rest) (k :: insertBy key j rest)

/-- The jobs by key, smallest first; equal keys stay in list order. -/
def sortBy (key : Job → List Nat) : List Job → List Job
  | [] => []
  | j :: rest => insertBy key j (sortBy key rest)

/-! How long lists are written: alike things as one run, and the runs in a chain. A Lean works these
out in time with their length; with core's own append and replicate, in time with its cube. -/

/-- The first list, then the second. -/
def chain {α : Type} : List α → List α → List α
  | [], b => b
  | x :: a, b => x :: chain a b

def chains {α : Type} : List (List α) → List α
  | [] => []
  | a :: rest => chain a (chains rest)

def alike : Nat → Session → List Session
  | 0, _ => []
  | n + 1, s => s :: alike n s

def numbersFrom : Nat → Nat → List Nat
  | _, 0 => []
  | number, n + 1 => number :: force (number + 1) (fun next => numbersFrom next n)

def arrivalsFrom (number count : Nat) (session : Session) : List Arrival :=
  List.map (fun n => Arrival.mk n session) (numbersFrom number count)

def jobsFrom (number count : Nat) (session : Session) (decoding : Bool) (done : Nat) : List Job :=
  List.map (fun n => Job.mk n session decoding done) (numbersFrom number count)

def entriesFrom (number count : Nat) (decoding : Bool) (tokens : Nat) : List Entry :=
  List.map (fun n => Entry.mk n decoding tokens) (numbersFrom number count)

/-! RAD's rules. -/

def rad : Rules :=
  { decodeMode := fun decodes residents d => Nat.ble d.bCol decodes || Nat.beq decodes residents,
    serves := fun mode decoding => same mode decoding,
    budget := fun mode d => cond mode d.bCol d.bLcm,
    want := fun decoding left d => cond decoding 1 (minimum left d.chunk),
    take := fun wanted remaining => minimum wanted remaining,
    duration := fun tokens d => maximum 1 (d.tLin * ((tokens + d.bCol - 1) / d.bCol) + d.tNl * tokens),
    servedAfter := fun served tokens => served + tokens,
    doneAfter := fun done share => done + share,
    left := fun total done => total - done,
    order := fun jobs => jobs }

/-! Forming a batch. -/

def decodes (jobs : List Job) : Nat := total (fun j => cond j.decoding 1 0) jobs

/-- Decode Mode, read once when an iteration starts (Bari.lean: decodeMode). -/
def decodeMode (c : Config) (jobs : List Job) : Bool :=
  c.rules.decodeMode (decodes jobs) (size jobs) c.deployment

/-- Whether a job is served in this mode (Bari.lean: serves_rad). -/
def serves (c : Config) (mode : Bool) (j : Job) : Bool := c.rules.serves mode j.decoding

/-- What is left of a job's prompt. -/
def unprefilled (c : Config) (j : Job) : Nat :=
  c.rules.left j.session.prompt (cond j.decoding j.session.prompt j.done)

/-- What a job would take with no budget (Exec.lean: wantOf). -/
def wantOf (c : Config) (j : Job) : Nat :=
  c.rules.want j.decoding (unprefilled c j) c.deployment

/-- Go through the jobs in order and give each what it wants, while the budget lasts
(Exec.lean: fillIter, fillAmounts). -/
def fillIter (c : Config) (mode : Bool) : List Job → Nat → List Entry
  | [], _ => []
  | j :: rest, remaining =>
    match serves c mode j with
    | false => fillIter c mode rest remaining
    | true =>
      match c.rules.take (wantOf c j) remaining with
      | 0 => []
      | t + 1 =>
        Entry.mk j.number j.decoding (t + 1)
          :: force (remaining - (t + 1)) (fun less => fillIter c mode rest less)

def batchIn (c : Config) (mode : Bool) (jobs : List Job) : List Entry :=
  fillIter c mode (c.rules.order jobs) (c.rules.budget mode c.deployment)

def batchOf (c : Config) (jobs : List Job) : List Entry :=
  match decodeMode c jobs with
  | true => batchIn c true jobs
  | false => batchIn c false jobs

/-- The tokens of a batch (Bari.lean: tokSum). -/
def tokSum (batch : List Entry) : Nat := total (fun e => e.tokens) batch

def recordOf (c : Config) (s : State) (batch : List Entry) (tokens : Nat) : Record :=
  { start := s.now,
    stop := s.now + c.rules.duration tokens c.deployment,
    served := s.served,
    tokens := tokens,
    prefilled := total (fun e => cond e.decoding 0 e.tokens) batch,
    decoders := total (fun e => cond e.decoding 1 0) batch,
    decoding := decodes s.jobs,
    residents := size s.jobs,
    demand := total (wantOf c) s.jobs }

def startWith (c : Config) (s : State) (batch : List Entry) (tokens : Nat) : State :=
  { s with
    iter := batch,
    iterEnd := some (s.now + c.rules.duration tokens c.deployment),
    served := c.rules.servedAfter s.served tokens,
    last := some (recordOf c s batch tokens) }

/-- Start an iteration, unless the batch is empty (Exec.lean: startIteration). -/
def startIteration (c : Config) (s : State) : State :=
  match join (batchOf c s.jobs) [] with
  | [] => s
  | e :: rest => startWith c s (e :: rest) (tokSum (e :: rest))

/-! Events. -/

/-- The tokens that a batch gives to a job (Bari.lean: shareOf). -/
def shareOf (number : Nat) : List Entry → Nat
  | [] => 0
  | e :: rest => cond (Nat.beq e.number number) e.tokens (shareOf number rest)

def without (number : Nat) : List Entry → List Entry
  | [] => []
  | e :: rest => cond (Nat.beq e.number number) rest (e :: without number rest)

/-- What becomes of a job when an iteration ends. -/
inductive Outcome where
  | stays (j : Job)
  | rejoins (j : Job)
  | finishes (number : Nat)

/-- A phase is over: a prefill's session rejoins as a decode, if it has an output. -/
def finished (j : Job) : Outcome :=
  match j.decoding, j.session.output with
  | false, _ + 1 => Outcome.rejoins (Job.mk j.number j.session true 0)
  | _, _ => Outcome.finishes j.number

def phaseTotal (j : Job) : Nat := cond j.decoding j.session.output j.session.prompt

def outcome (c : Config) (j : Job) (share : Nat) : Outcome :=
  match share with
  | 0 => Outcome.stays j
  | t + 1 =>
    force (c.rules.doneAfter j.done (t + 1)) (fun progress =>
      match c.rules.left (phaseTotal j) progress with
      | 0 => finished j
      | _ + 1 => Outcome.stays (Job.mk j.number j.session j.decoding progress))

/-- Add an outcome to who stays, who rejoins and who ends so far, and go on. -/
def place (o : Outcome) (goOn : List Job → List Job → List Nat → State)
    (stay rejoin : List Job) (ended : List Nat) : State :=
  match o with
  | Outcome.stays j => goOn (j :: stay) rejoin ended
  | Outcome.rejoins j => goOn stay (j :: rejoin) ended
  | Outcome.finishes n => goOn stay rejoin (n :: ended)

/-- Go through the jobs, a batch's shares in hand; `stay`, `rejoin` and `ended` are who stays, who
rejoins and who ends so far, the latest first. A batch mostly stands in the order of the list, so a
job's entry is looked for at its head first. -/
def endIteration (c : Config) (s : State) (t : Nat) :
    List Job → List Entry → List Job → List Job → List Nat → State
  | [], _, stay, rejoin, ended =>
    { s with
      now := t,
      jobs := turnOnto stay (turnOnto rejoin []),
      iter := [],
      iterEnd := none,
      ended := turnOnto ended [] }
  | j :: rest, [], stay, rejoin, ended => endIteration c s t rest [] (j :: stay) rejoin ended
  | j :: rest, e :: more, stay, rejoin, ended =>
    match Nat.beq e.number j.number with
    | true => place (outcome c j e.tokens) (endIteration c s t rest more) stay rejoin ended
    | false =>
      place (outcome c j (shareOf j.number more))
        (endIteration c s t rest (e :: without j.number more)) stay rejoin ended

/-- The jobs of sessions that arrive: a prefill, or at once a decode where the prompt is empty. -/
def admitted : List Arrival → List Job
  | [] => []
  | a :: rest =>
    match a.session.prompt, a.session.output with
    | _ + 1, _ => Job.mk a.number a.session false 0 :: admitted rest
    | 0, _ + 1 => Job.mk a.number a.session true 0 :: admitted rest
    | 0, 0 => admitted rest

/-- The sessions that end on arrival, without an iteration. -/
def endingAtOnce : List Arrival → List Nat
  | [] => []
  | a :: rest =>
    match a.session.prompt, a.session.output with
    | _ + 1, _ => endingAtOnce rest
    | 0, _ + 1 => endingAtOnce rest
    | 0, 0 => a.number :: endingAtOnce rest

inductive Event where
  | arrival (a : Arrival) (later : List Arrival)
  | iterationEnd (t : Nat)

/-- The next event: of an arrival and an end at the same instant, the arrival. -/
def nextEvent (s : State) : Option Event :=
  match s.pending, s.iterEnd with
  | [], none => none
  | [], some t => some (Event.iterationEnd t)
  | a :: later, none => some (Event.arrival a later)
  | a :: later, some t =>
    cond (Nat.ble a.session.arrive t) (some (Event.arrival a later)) (some (Event.iterationEnd t))

/-- Apply an event (Exec.lean: handle). Tokens count for the jobs when their iteration ends. -/
def handle (c : Config) (s : State) : Event → State
  | Event.arrival a later =>
    { s with
      now := a.session.arrive,
      pending := later,
      jobs := join s.jobs (admitted [a]),
      ended := endingAtOnce [a] }
  | Event.iterationEnd t => endIteration c s t s.jobs s.iter [] [] []

def pendingAt (t : Nat) : List Arrival → Bool
  | [] => false
  | a :: _ => Nat.ble a.session.arrive t

/-- Start an iteration if none runs and nothing else is pending now (Exec.lean: afterEvent). -/
def afterEvent (c : Config) (s : State) : State :=
  match s.iterEnd with
  | some _ => s
  | none => cond (pendingAt s.now s.pending) s (startIteration c s)

/-- A state, its job list worked out. -/
def workedOut (s : State) : State :=
  match join s.jobs [] with
  | [] => { s with jobs := [] }
  | j :: rest => { s with jobs := j :: rest }

/-- One event; with none to come the state stays (Exec.lean: step). -/
def step (c : Config) (s : State) : State :=
  match nextEvent s with
  | none => s
  | some e =>
    match handle c (workedOut s) e with
    | State.mk now pending jobs iter iterEnd served last ended =>
      match join jobs [] with
      | [] => State.mk now pending [] iter iterEnd served last ended
      | j :: rest =>
        afterEvent c (State.mk now pending (j :: rest) iter iterEnd served last ended)

/-! The beginning. -/

def numbered : Nat → List Session → List Arrival
  | _, [] => []
  | number, s :: rest => Arrival.mk number s :: force (number + 1) (fun next => numbered next rest)

def insertArrival (a : Arrival) : List Arrival → List Arrival
  | [] => [a]
  | b :: rest =>
    cond (Nat.ble a.session.arrive b.session.arrive) (a :: b :: rest) (b :: insertArrival a rest)

/-- By time of arrival; ties go by number. -/
def inOrder : List Arrival → List Arrival
  | [] => []
  | a :: rest => insertArrival a (inOrder rest)

def atZero : List Arrival → List Arrival
  | [] => []
  | a :: rest => cond (Nat.ble a.session.arrive 0) (a :: atZero rest) []

def afterZero : List Arrival → List Arrival
  | [] => []
  | a :: rest => cond (Nat.ble a.session.arrive 0) (afterZero rest) (a :: rest)

def startOf (c : Config) (arrivals : List Arrival) : State :=
  afterEvent c
    { now := 0,
      pending := afterZero arrivals,
      jobs := admitted (atZero arrivals),
      iter := [],
      iterEnd := none,
      served := 0,
      last := none,
      ended := endingAtOnce (atZero arrivals) }

/-- Time 0, with what arrives then (Exec.lean: start). The events after it are the arrivals later
than 0 and the ends of iterations. -/
def start (c : Config) (path : List Session) : State := startOf c (inOrder (numbered 0 path))

/-! The claims, on the record of an iteration, and the invariants, on a state. -/

/-- served x (t_lin + t_nl b_col) <= b_col x start (Bari.lean: token_rate). -/
def token_rate (d : Deployment) (i : Record) : Bool :=
  Nat.ble (i.served * (d.tLin + d.tNl * d.bCol)) (d.bCol * i.start)

/-- every batch fills its tile, or every resident decodes (Bari.lean: optimal_tiling). -/
def optimal_tiling (d : Deployment) (i : Record) : Bool :=
  Nat.beq (i.tokens % d.bCol) 0 && Nat.ble d.bCol i.tokens && Nat.ble i.tokens d.bLcm || Nat.beq i.decoders i.residents

/-- What optimal_tiling asks of every session of the path. -/
def given_optimal_tiling (d : Deployment) (s : Session) : Bool :=
  Nat.beq (s.prompt % d.bLcm) 0

/-- A claim on the latest iteration of a state; true where there was none. -/
def onLast (claim : Deployment → Record → Bool) (c : Config) (s : State) : Bool :=
  match s.last with
  | none => true
  | some i => claim c.deployment i

def jobOK (left : Nat) (decoding : Bool) (d : Deployment) : Bool :=
  Nat.ble 1 left && (decoding || Nat.beq (left % d.bLcm) 0)

def arrivalOK (prompt : Nat) (d : Deployment) : Bool :=
  Nat.beq (prompt % d.bLcm) 0

def entryOK (tokens : Nat) (decoding : Bool) (d : Deployment) : Bool :=
  decoding || Nat.beq (tokens % d.bLcm) 0

def rateAt (time : Nat) (served : Nat) (d : Deployment) : Bool :=
  Nat.ble (served * (d.tLin + d.tNl * d.bCol)) (d.bCol * time)

def rateRunning (now : Nat) (ending : Nat) (served : Nat) (d : Deployment) : Bool :=
  Nat.ble now ending && Nat.ble (served * (d.tLin + d.tNl * d.bCol)) (d.bCol * ending)

def fewDecodes (count : Nat) (d : Deployment) : Bool :=
  Nat.ble count d.bCol

def amongst (number : Nat) : List Nat → Bool
  | [] => false
  | n :: rest => Nat.beq n number || amongst number rest

def distinct : List Nat → Bool
  | [] => true
  | n :: rest => cond (amongst n rest) false (distinct rest)

def numbersOf (jobs : List Job) : List Nat := List.map (fun j => j.number) jobs

/-- The sessions that are resident, and those still to come. -/
def owners (s : State) : List Nat :=
  join (numbersOf s.jobs) (List.map (fun a => a.number) s.pending)

/-- What is left of a job's phase. -/
def leftOf (c : Config) (j : Job) : Nat := c.rules.left (phaseTotal j) j.done

/-- R5 of an entry, by the phase of the job that owns it. -/
def shareOK (c : Config) (jobs : List Job) (e : Entry) : Bool :=
  List.all jobs (fun j =>
    cond (Nat.beq j.number e.number) (entryOK e.tokens j.decoding c.deployment) true)

/-- The invariant of optimal_tiling (Bari.lean: R; its R1, R2, R3, R5 and R6, in this order). -/
def R (c : Config) (s : State) : Bool :=
  List.all s.jobs (fun j => jobOK (leftOf c j) j.decoding c.deployment)
  && distinct (owners s)
  && List.all s.pending (fun a => arrivalOK a.session.prompt c.deployment)
  && List.all s.iter (fun e => shareOK c s.jobs e)
  && List.all s.iter (fun e => amongst e.number (numbersOf s.jobs))

/-- The sessions still to come stand in order of arrival, and none comes before `time`. -/
def sortedFrom (time : Nat) : List Arrival → Bool
  | [] => true
  | a :: rest => Nat.ble time a.session.arrive && sortedFrom a.session.arrive rest

/-- RateInv of the present: of the end of the iteration that runs, or of now. -/
def rateNow (c : Config) (s : State) : Bool :=
  match s.iterEnd with
  | none => rateAt s.now s.served c.deployment
  | some t => rateRunning s.now t s.served c.deployment

/-- The invariant of token_rate (Claim.lean: RateInv). -/
def RateInv (c : Config) (s : State) : Bool :=
  sortedFrom s.now s.pending && rateNow c s && onLast token_rate c s

/-- At most b_col decodes are resident (beyond Bari.lean; every prompt a positive multiple). -/
def DecodeBound (c : Config) (s : State) : Bool := fewDecodes (decodes s.jobs) c.deployment

/-! What is said of every path of a family. -/

/-- Assumption 3: every prompt is a multiple of the tile (0 included). -/
def Tiled (d : Deployment) (path : List Session) : Prop :=
  List.all path (given_optimal_tiling d) = true

/-- The states that a run of the path goes through, event by event (Exec.lean: Reach). -/
inductive Reach (c : Config) (path : List Session) : State → Prop where
  | start : Reach c path (start c path)
  | step (s : State) : Reach c path s → Reach c path (step c s)

/-- The claim holds of every iteration of every path of a family (Exec.lean: EveryIteration). -/
def EveryIteration (c : Config) (family : List Session → Prop)
    (claim : Deployment → Record → Bool) : Prop :=
  ∀ path s, family path → Reach c path s → onLast claim c s = true

end Radproof

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
