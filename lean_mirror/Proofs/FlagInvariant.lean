import Proofs.Numbers

/-!
# A regression: the invariant whose R5 reads the entry's word is not inductive

An early mirror asked of a batch's entry that it says of itself to decode, or is a multiple of
b_lcm; Bari.lean's R5 asks it of the job that owns the entry. And it asked of the jobs alone that
no number comes twice. Of that invariant, `R_by_flag`, `rad_handle` is false: a prompt of 2 tokens,
in a batch that calls its one token a decode's, is left with 1.
-/

namespace Radproof.Proved

/-- R, with R2 of the jobs alone and R5 by the entry's own word. -/
def R_by_flag (c : Config) (s : State) : Bool :=
  List.all s.jobs (fun j => jobOK (leftOf c j) j.decoding c.deployment)
  && distinct (numbersOf s.jobs)
  && List.all s.pending (fun a => arrivalOK a.session.prompt c.deployment)
  && List.all s.iter (fun e => entryOK e.tokens e.decoding c.deployment)
  && List.all s.iter (fun e => amongst e.number (numbersOf s.jobs))

/-- `rad_handle` of that invariant, for Bari.lean's deployments. -/
def rad_handle_by_flag : Prop :=
  ∀ (d : Deployment) (s : State) (e : Event), Plain d → R_by_flag (rc d) s = true →
    nextEvent s = some e →
    List.all s.pending (fun a => cond (amongst a.number (numbersOf s.jobs)) false true) = true →
    R_by_flag (rc d) (handle (rc d) s e) = true

def tileOfTwo : Deployment :=
  { bCol := 2, bRow := 1, bRed := 1, bLcm := 2, tLin := 40, tNl := 5, chunk := 2 }

/-- A prompt of 2, and its entry of 1 that says it decodes. -/
def mislabelled : State :=
  { now := 0, pending := [], jobs := [Job.mk 0 (Session.mk 0 2 1) false 0],
    iter := [Entry.mk 0 true 1], iterEnd := some 45, served := 1, last := none, ended := [] }

theorem flag_holds : R_by_flag (rc tileOfTwo) mislabelled = true := rfl

theorem flag_breaks :
    R_by_flag (rc tileOfTwo) (handle (rc tileOfTwo) mislabelled (Event.iterationEnd 45)) = false :=
  rfl

theorem not_rad_handle : ¬ rad_handle_by_flag := fun claimed =>
  not_both (claimed tileOfTwo mislabelled (Event.iterationEnd 45)
    ⟨le_plus_one (zero_le 1), rfl, rfl⟩ flag_holds rfl rfl) flag_breaks

/-- R as it is now refuses that state. -/
theorem R_refuses : R (rc tileOfTwo) mislabelled = false := rfl

end Radproof.Proved
