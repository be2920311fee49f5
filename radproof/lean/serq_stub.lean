
/-! The names of serQ's package that an emitted serQ term uses, over the mirror's machine. A stub: it
shows that the text elaborates and that its facts are the mirror's, not that serQ has them. -/

namespace SerqLang.Exec

open Radproof

structure Workload where
  init : List (List (Nat × Nat))
  turns : List (List (Nat × Nat))
  turnSlot : Option Nat
  moreSlot : Nat
  computedSlot : Option Nat
  arriveSlot : Option Nat

structure Pool where
  capacity : Nat

structure Deployment where
  pools : List Pool
  budget : Nat
  chunk : Nat
  memory : Option Nat
  cost : Nat → Nat
  only : Option Nat
  chunkAt : Option Nat

inductive Program where
  | rad

structure Stats where
  tokens : Nat
  decoders : Nat

structure Last where
  start : Nat
  served : Nat
  stats : Stats
  residents : Nat

structure Owned where
  owner : Nat
  left : Nat

structure Machine where
  now : Nat
  last : Last
  jobs : List Owned
  iterEnd : Option (Nat × Nat)
  mirror : Radproof.State

def slot (n : Nat) : List (Nat × Nat) → Nat
  | [] => 0
  | (k, v) :: rest => cond (Nat.beq k n) v (slot n rest)

def sessionOf (s : List (Nat × Nat)) : Session := Session.mk (slot 12 s) (slot 10 s) (slot 11 s)

def configOf (d : Deployment) : Config :=
  { deployment := Radproof.Deployment.mk d.budget 1 1 d.budget 4000 5 d.chunk, rules := rad }

def lastOf : Option Record → Last
  | none => Last.mk 0 0 (Stats.mk 0 0) 0
  | some i => Last.mk i.start i.served (Stats.mk i.tokens i.decoders) i.residents

def iterEndOf : Option Nat → Option (Nat × Nat)
  | none => none
  | some t => some (t, 0)

def machineOf (c : Config) (s : State) : Machine :=
  { now := s.now,
    last := lastOf s.last,
    jobs := List.map (fun j => Owned.mk j.number (leftOf c j)) s.jobs,
    iterEnd := iterEndOf s.iterEnd,
    mirror := s }

def start (d : Deployment) (w : Workload) (_ : Program) : Machine :=
  machineOf (configOf d) (Radproof.start (configOf d) (List.map sessionOf w.init))

def step (d : Deployment) (m : Machine) : Machine :=
  machineOf (configOf d) (Radproof.step (configOf d) m.mirror)

end SerqLang.Exec

namespace SerqLang.Claims.BariRad

open SerqLang.Exec

def prog : Program := Program.rad

def deployment : Deployment :=
  { pools := [], budget := 128, chunk := 128, memory := none,
    cost := fun k => 4000 * ((k + 127) / 128) + 5 * k, only := none, chunkAt := none }

end SerqLang.Claims.BariRad
