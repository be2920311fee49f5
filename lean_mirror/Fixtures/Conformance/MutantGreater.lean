/-
greater: a mutant that neither claim sees; how its run goes.
Scheduler: radproof.mutants:greater
The path's SHA-256: 23b0a9eb9abc06063bc4056883bb1cd1424e138e37ba472fc6436a7c59b74675
Never edit this file; make it again: radproof lean fixtures --bless
Made by: radproof 0.1.0, mirror 1
-/

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

set_option maxRecDepth 100000

namespace Radproof

/-! The deployment, the rules and the path. -/

def node : Deployment :=
  { bCol := 2, bRow := 1, bRed := 1, bLcm := 2, tLin := 40, tNl := 5, chunk := 2 }

theorem node_bLcm : lcmOfTiles node = node.bLcm := rfl

def changed : Rules :=
  { rad with
    decodeMode := fun decodes residents d => Nat.ble (d.bCol + 1) decodes || Nat.beq decodes residents }

def config : Config := { deployment := node, rules := changed }

def path : List Session := [Session.mk 0 0 2, Session.mk 0 0 2, Session.mk 0 2 1]

/-! The run: the state after every event, and that the step gives it. -/

def i0 : Record :=
  { start := 0, stop := 50, served := 0, tokens := 2, prefilled := 2, decoders := 0,
    decoding := 2, residents := 3, demand := 4 }

def s0 : State :=
  { now := 0,
    pending := [],
    jobs := 
      [Job.mk 0 (Session.mk 0 0 2) true 0,
       Job.mk 1 (Session.mk 0 0 2) true 0,
       Job.mk 2 (Session.mk 0 2 1) false 0],
    iter := [Entry.mk 2 false 2],
    iterEnd := some 50,
    served := 2,
    last := some i0,
    ended := [] }

theorem t_0 : start config path = s0 := rfl

def i1 : Record :=
  { start := 50, stop := 100, served := 2, tokens := 2, prefilled := 0, decoders := 2,
    decoding := 3, residents := 3, demand := 3 }

def s1 : State :=
  { now := 50,
    pending := [],
    jobs := 
      [Job.mk 0 (Session.mk 0 0 2) true 0,
       Job.mk 1 (Session.mk 0 0 2) true 0,
       Job.mk 2 (Session.mk 0 2 1) true 0],
    iter := [Entry.mk 0 true 1, Entry.mk 1 true 1],
    iterEnd := some 100,
    served := 4,
    last := some i1,
    ended := [] }

theorem t_1 : step config s0 = s1 := rfl

def i2 : Record :=
  { start := 100, stop := 150, served := 4, tokens := 2, prefilled := 0, decoders := 2,
    decoding := 3, residents := 3, demand := 3 }

def s2 : State :=
  { now := 100,
    pending := [],
    jobs := 
      [Job.mk 0 (Session.mk 0 0 2) true 1,
       Job.mk 1 (Session.mk 0 0 2) true 1,
       Job.mk 2 (Session.mk 0 2 1) true 0],
    iter := [Entry.mk 0 true 1, Entry.mk 1 true 1],
    iterEnd := some 150,
    served := 6,
    last := some i2,
    ended := [] }

theorem t_2 : step config s1 = s2 := rfl

def i3 : Record :=
  { start := 150, stop := 195, served := 6, tokens := 1, prefilled := 0, decoders := 1,
    decoding := 1, residents := 1, demand := 1 }

def s3 : State :=
  { now := 150,
    pending := [],
    jobs := [Job.mk 2 (Session.mk 0 2 1) true 0],
    iter := [Entry.mk 2 true 1],
    iterEnd := some 195,
    served := 7,
    last := some i3,
    ended := [0, 1] }

theorem t_3 : step config s2 = s3 := rfl

def s4 : State :=
  { now := 195,
    pending := [],
    jobs := [],
    iter := [],
    iterEnd := none,
    served := 7,
    last := some i3,
    ended := [2] }

theorem t_4 : step config s3 = s4 := rfl

/-! What each claim asks of the path, and whether it holds of each iteration. -/

theorem token_rate_0 : token_rate node i0 = true := rfl

theorem token_rate_1 : token_rate node i1 = true := rfl

theorem token_rate_2 : token_rate node i2 = true := rfl

theorem token_rate_3 : token_rate node i3 = true := rfl

theorem given_optimal_tiling_path : List.all path (given_optimal_tiling node) = true := rfl

theorem optimal_tiling_0 : optimal_tiling node i0 = true := rfl

theorem optimal_tiling_1 : optimal_tiling node i1 = true := rfl

theorem optimal_tiling_2 : optimal_tiling node i2 = true := rfl

theorem optimal_tiling_3 : optimal_tiling node i3 = true := rfl

end Radproof
