import Proofs.Batch
import Proofs.Rate
import Proofs.TimeZero

/-!
# Beyond Bari.lean: prompts are served in order of arrival, tiled or not

The prompts of the list stand in order of arrival, and none but the first has begun (`inTurn`).
While a batch runs (`Turn`): from the first prompt on, each is finished by its share, up to one
whose successors get nothing. A fill of a budget that no chunk cuts short is like that: a prompt
that fits the rest of the budget is finished, one that does not takes all of it. Whoever arrives
comes after whoever is there, because the clock (`Rate`) is between them.
-/

namespace Radproof.Proved

/-! In turn. -/

theorem waiting_prompt {time : Nat} {j : Job} {jobs : List Job} (prompt : j.decoding = false)
    (h : waiting time (j :: jobs) = true) :
    (time ≤ j.session.arrive ∧ j.done = 0) ∧ waiting j.session.arrive jobs = true := by
  have parts := both_of ((cond_false _ _ prompt).symm.trans h)
  exact ⟨⟨le_of_ble (both_of parts.1).1, eq_of_beq (both_of parts.1).2⟩, parts.2⟩

theorem waiting_decode {time : Nat} {j : Job} {jobs : List Job} (decodes : j.decoding = true)
    (h : waiting time (j :: jobs) = true) : waiting time jobs = true :=
  (cond_true _ _ decodes).symm.trans h

theorem waiting_of_prompt {time : Nat} {j : Job} {jobs : List Job} (prompt : j.decoding = false)
    (after : time ≤ j.session.arrive) (new : j.done = 0)
    (rest : waiting j.session.arrive jobs = true) : waiting time (j :: jobs) = true :=
  (cond_false _ _ prompt).trans (both (both (ble_of_le after) (beq_of_eq new)) rest)

theorem waiting_of_decode {time : Nat} {j : Job} {jobs : List Job} (decodes : j.decoding = true)
    (rest : waiting time jobs = true) : waiting time (j :: jobs) = true :=
  (cond_true _ _ decodes).trans rest

theorem inTurn_of_waiting {time : Nat} : ∀ {jobs : List Job}, waiting time jobs = true →
    inTurn jobs = true
  | [], _ => rfl
  | j :: _, h => by_test j.decoding
    (fun decodes => (cond_true _ _ decodes).trans (inTurn_of_waiting (waiting_decode decodes h)))
    (fun prompt => (cond_false _ _ prompt).trans (waiting_prompt prompt h).2)

theorem waiting_all_decode {time : Nat} : ∀ {jobs : List Job},
    All (fun j => j.decoding = true) jobs → waiting time jobs = true
  | [], _ => rfl
  | _ :: _, h => waiting_of_decode h.1 (waiting_all_decode h.2)

/-- Decodes at the end of a list change nothing. -/
theorem waiting_then_decodes {more : List Job} (h : All (fun j => j.decoding = true) more) :
    ∀ {time : Nat} {jobs : List Job}, waiting time jobs = true →
      waiting time (chain jobs more) = true
  | _, [], _ => waiting_all_decode h
  | _, j :: _, g => by_test j.decoding
    (fun decodes => waiting_of_decode decodes (waiting_then_decodes h (waiting_decode decodes g)))
    (fun prompt =>
      have its := waiting_prompt prompt g
      waiting_of_prompt prompt its.1.1 its.1.2 (waiting_then_decodes h its.2))

theorem inTurn_then_decodes {more : List Job} (h : All (fun j => j.decoding = true) more) :
    ∀ {jobs : List Job}, inTurn jobs = true → inTurn (chain jobs more) = true
  | [], _ => inTurn_of_waiting (waiting_all_decode (time := 0) h)
  | j :: _, g => by_test j.decoding
    (fun decodes => (cond_true _ _ decodes).trans
      (inTurn_then_decodes h ((cond_true _ _ decodes).symm.trans g)))
    (fun prompt => (cond_false _ _ prompt).trans
      (waiting_then_decodes h ((cond_false _ _ prompt).symm.trans g)))

/-- One more job at the end: a decode, or a prompt not begun that comes after all. -/
theorem waiting_then_one {last : Job} {time : Nat} (new : last.decoding = false → last.done = 0) :
    ∀ {start : Nat} {jobs : List Job}, start ≤ time → last.session.arrive = time →
      All (fun j => j.session.arrive ≤ time) jobs → waiting start jobs = true →
      waiting start (chain jobs [last]) = true
  | _, [], first, its, _, _ => by_test last.decoding
    (fun decodes => waiting_of_decode decodes rfl)
    (fun prompt => waiting_of_prompt prompt (le_trans first (le_of_eq its.symm)) (new prompt) rfl)
  | _, j :: _, first, its, before, h => by_test j.decoding
    (fun decodes => waiting_of_decode decodes
      (waiting_then_one new first its before.2 (waiting_decode decodes h)))
    (fun prompt =>
      have parts := waiting_prompt prompt h
      waiting_of_prompt prompt parts.1.1 parts.1.2
        (waiting_then_one new before.1 its before.2 parts.2))

/-! In turn while a batch runs. -/

/-- The prompts of these jobs get nothing. -/
def Unserved (batch : List Entry) (jobs : List Job) : Prop :=
  All (fun j => j.decoding = false → shareOf j.number batch = 0) jobs

/-- The share finishes the prompt. -/
def Finishes (batch : List Entry) (j : Job) : Prop :=
  0 < shareOf j.number batch ∧ j.session.prompt ≤ j.done + shareOf j.number batch

/-- From the first prompt on each is finished, up to one whose successors get nothing. -/
def Turn (batch : List Entry) : List Job → Prop
  | [] => True
  | j :: jobs =>
    (j.decoding = true ∧ Turn batch jobs) ∨
    (j.decoding = false ∧ waiting j.session.arrive jobs = true ∧
      ((Finishes batch j ∧ Turn batch jobs) ∨ Unserved batch jobs))

/-- In turn, and no prompt is served. -/
theorem turn_of_unserved {batch : List Entry} : ∀ {jobs : List Job}, inTurn jobs = true →
    Unserved batch jobs → Turn batch jobs
  | [], _, _ => True.intro
  | j :: _, h, g => by_test j.decoding
    (fun decodes => Or.inl ⟨decodes, turn_of_unserved ((cond_true _ _ decodes).symm.trans h) g.2⟩)
    (fun prompt => Or.inr ⟨prompt, (cond_false _ _ prompt).symm.trans h, Or.inr g.2⟩)

theorem unserved_same {one other : List Entry} {jobs : List Job} (same : SameShares one other jobs)
    (h : Unserved one jobs) : Unserved other jobs :=
  all_imp (fun _ two prompt => two.1.symm.trans (two.2 prompt)) (all_both same h)

theorem turn_same {one other : List Entry} : ∀ {jobs : List Job}, SameShares one other jobs →
    Turn one jobs → Turn other jobs
  | [], _, _ => True.intro
  | j :: jobs, same, h => match h with
    | Or.inl ⟨decodes, rest⟩ => Or.inl ⟨decodes, turn_same same.2 rest⟩
    | Or.inr ⟨prompt, sorted, Or.inr unserved⟩ =>
      Or.inr ⟨prompt, sorted, Or.inr (unserved_same same.2 unserved)⟩
    | Or.inr ⟨prompt, sorted, Or.inl ⟨done, rest⟩⟩ =>
      Or.inr ⟨prompt, sorted, Or.inl ⟨by
        have its : Finishes one j := done
        show 0 < shareOf j.number other ∧ j.session.prompt ≤ j.done + shareOf j.number other
        rewrite [← same.1]
        exact its, turn_same same.2 rest⟩⟩

/-! The fill is in turn. -/

theorem unserved_empty (jobs : List Job) : Unserved [] jobs := all_of_any (fun _ _ => rfl) jobs

theorem fill_in_turn (d : Deployment) : ∀ (jobs : List Job) (b : Nat), b ≤ d.chunk →
    Once (numbersOf jobs) → inTurn jobs = true → Turn (fillIter (rc d) false jobs b) jobs
  | [], _, _, _, _ => True.intro
  | Job.mk n s true done :: jobs, b, fits, once, h =>
    Or.inl ⟨rfl, fill_in_turn d jobs b fits (once_rest once) h⟩
  | Job.mk n s false done :: jobs, b, fits, once, h => by
    have sorted : waiting s.arrive jobs = true := h
    have others := others_of_once once
    refine fill_cases (rc d) false (Job.mk n s false done) jobs b
      (fun l => Turn l (Job.mk n s false done :: jobs)) (fun other => ?_)
      (fun _ _ => Or.inr ⟨rfl, sorted, Or.inr (unserved_empty jobs)⟩) (fun t _ taken => ?_)
    · have served : true = false := other
      exact no_way served.symm
    · have takes : minimum (minimum (s.prompt - done) d.chunk) b = t + 1 := taken
      have behind := same_behind (j := Job.mk n s false done) (e := Entry.mk n false (t + 1))
        (rest := fillIter (rc d) false jobs (b - (t + 1))) rfl others
      refine Or.inr ⟨rfl, sorted, ?_⟩
      exact by_test (Nat.ble (s.prompt - done) b)
        (fun short => by
          have less := le_of_ble short
          rewrite [minimum_left (le_trans less fits), minimum_left less] at takes
          refine Or.inl ⟨?_, turn_same behind (fill_in_turn d jobs _
            (le_trans (minus_le b (t + 1)) fits) (once_rest once) (inTurn_of_waiting sorted))⟩
          have share : shareOf n (Entry.mk n false (t + 1) ::
              fillIter (rc d) false jobs (b - (t + 1))) = t + 1 := cond_true _ _ (beq_refl n)
          show 0 < shareOf n (Entry.mk n false (t + 1) :: _) ∧
            s.prompt ≤ done + shareOf n (Entry.mk n false (t + 1) :: _)
          rewrite [share, ← takes]
          exact ⟨by
            rewrite [takes]
            exact le_plus_one (zero_le t), le_minus_plus s.prompt done⟩)
        (fun long => by
          have more := le_of_less (less_of_not_ble long)
          have wants : b ≤ minimum (s.prompt - done) d.chunk :=
            cond_keeps (fun w => b ≤ w) (Nat.ble (s.prompt - done) d.chunk)
              (fun _ => more) (fun _ => fits)
          have whole : b = t + 1 := (minimum_right wants).symm.trans takes
          rewrite [whole, minus_zero (le_refl (t + 1)), fillAmounts_zero] at behind
          rewrite [whole, minus_zero (le_refl (t + 1)), fillAmounts_zero]
          exact Or.inr (unserved_same behind (unserved_empty jobs)))

/-! The end of an iteration: who stays is in turn. -/

theorem rejoiners_decode (c : Config) (batch : List Entry) : ∀ (jobs : List Job),
    All (fun j => j.decoding = true) (rejoiners c batch jobs)
  | [] => True.intro
  | j :: jobs => all_chain
    (outcome_cases c j (shareOf j.number batch)
      (fun o => All (fun j => j.decoding = true) (rejoined o))
      (fun _ => True.intro) (fun _ _ _ _ => True.intro) (fun _ _ _ _ _ => ⟨rfl, True.intro⟩)
      True.intro)
    (rejoiners_decode c batch jobs)

/-- A decode stays as a decode, or goes. -/
theorem decode_stays {c : Config} {j : Job} (decodes : j.decoding = true) (share : Nat)
    (p : List Job → Prop) {rest : List Job}
    (stays : ∀ k : Job, k.decoding = true → p (k :: rest)) (goes : p rest) :
    p (chain (stayed (outcome c j share)) rest) :=
  outcome_cases c j share (fun o => p (chain (stayed o) rest))
    (fun _ => stays j decodes) (fun _ _ _ _ => stays _ decodes) (fun _ _ _ _ _ => goes) goes

/-- A prompt that gets nothing stays as it is. -/
theorem unserved_stays {c : Config} {j : Job} {share : Nat} (none : share = 0) :
    stayed (outcome c j share) = [j] := by
  rewrite [none]
  exact rfl

/-- A prompt that is finished goes. -/
theorem finished_goes {d : Deployment} {batch : List Entry} {j : Job} (prompt : j.decoding = false)
    (h : Finishes batch j) : stayed (outcome (rc d) j (shareOf j.number batch)) = [] :=
  outcome_cases (rc d) j (shareOf j.number batch) (fun o => stayed o = [])
    (fun none => by
      have some := h.1
      rewrite [none] at some
      exact not_less_zero some)
    (fun t u _ more => by
      have whole : phaseTotal j = j.session.prompt := cond_false _ _ prompt
      have left : phaseTotal j - (j.done + shareOf j.number batch) = u + 1 := more
      rewrite [whole, minus_zero h.2] at left
      exact not_zero left.symm)
    (fun _ _ _ _ _ => rfl) rfl

/-- Where prompts get nothing, they wait still. -/
theorem waiting_end {c : Config} {batch : List Entry} : ∀ {time : Nat} {jobs : List Job},
    waiting time jobs = true → Unserved batch jobs → waiting time (stayers c batch jobs) = true
  | _, [], _, _ => rfl
  | time, j :: jobs, h, g => by_test j.decoding
    (fun decodes =>
      have rest := waiting_end (waiting_decode decodes h) g.2
      decode_stays decodes (shareOf j.number batch) (fun l => waiting time l = true)
        (fun _ decodes => waiting_of_decode decodes rest) rest)
    (fun prompt => by
      have its := waiting_prompt prompt h
      show waiting time (chain (stayed (outcome c j (shareOf j.number batch)))
        (stayers c batch jobs)) = true
      rewrite [unserved_stays (g.1 prompt)]
      exact waiting_of_prompt prompt its.1.1 its.1.2 (waiting_end its.2 g.2))

/-- The prompt whose successors get nothing may stay, as the first. -/
theorem inTurn_first {c : Config} {j : Job} (prompt : j.decoding = false) (share : Nat)
    {rest : List Job} (sorted : waiting j.session.arrive rest = true) :
    inTurn (chain (stayed (outcome c j share)) rest) = true :=
  outcome_cases c j share (fun o => inTurn (chain (stayed o) rest) = true)
    (fun _ => (cond_false _ _ prompt).trans sorted)
    (fun _ _ _ _ => (cond_false _ _ prompt).trans sorted)
    (fun _ _ _ _ _ => inTurn_of_waiting sorted) (inTurn_of_waiting sorted)

theorem inTurn_end {d : Deployment} {batch : List Entry} : ∀ {jobs : List Job}, Turn batch jobs →
    inTurn (stayers (rc d) batch jobs) = true
  | [], _ => rfl
  | j :: jobs, h => match h with
    | Or.inl ⟨decodes, rest⟩ =>
      have its := inTurn_end rest
      decode_stays decodes (shareOf j.number batch) (fun l => inTurn l = true)
        (fun _ decodes => (cond_true _ _ decodes).trans its) its
    | Or.inr ⟨prompt, sorted, Or.inr unserved⟩ =>
      inTurn_first prompt (shareOf j.number batch) (waiting_end sorted unserved)
    | Or.inr ⟨prompt, _, Or.inl ⟨done, rest⟩⟩ => by
      show inTurn (chain (stayed (outcome (rc d) j (shareOf j.number batch)))
        (stayers (rc d) batch jobs)) = true
      rewrite [finished_goes prompt done]
      exact inTurn_end rest

/-! Whoever is there came before now. -/

/-- The outcome is of the same session. -/
theorem outcome_session (c : Config) (p : Session → Prop) (j : Job) (h : p j.session)
    (share : Nat) :
    All (fun k => p k.session) (stayed (outcome c j share)) ∧
      All (fun k => p k.session) (rejoined (outcome c j share)) :=
  outcome_cases c j share
    (fun o => All (fun k => p k.session) (stayed o) ∧ All (fun k => p k.session) (rejoined o))
    (fun _ => ⟨⟨h, True.intro⟩, True.intro⟩) (fun _ _ _ _ => ⟨⟨h, True.intro⟩, True.intro⟩)
    (fun _ _ _ _ _ => ⟨True.intro, ⟨h, True.intro⟩⟩) ⟨True.intro, True.intro⟩

theorem end_sessions (c : Config) (batch : List Entry) (p : Session → Prop) : ∀ {jobs : List Job},
    All (fun j => p j.session) jobs →
    All (fun j => p j.session) (stayers c batch jobs) ∧
      All (fun j => p j.session) (rejoiners c batch jobs)
  | [], _ => ⟨True.intro, True.intro⟩
  | j :: _, h =>
    have first := outcome_session c p j h.1 (shareOf j.number batch)
    have rest := end_sessions c batch p h.2
    ⟨all_chain first.1 rest.1, all_chain first.2 rest.2⟩

/-! The obligations. -/

structure Order (d : Deployment) (s : State) : Prop where
  numbered : Numbered s
  rate : Rate (rc d) s
  came : All (fun j => j.session.arrive ≤ s.now) s.jobs
  turn : Turn s.iter s.jobs

/-- While nothing runs, in turn is in turn. -/
theorem turn_batch {d : Deployment} (fits : d.bLcm ≤ d.chunk) {jobs : List Job}
    (once : Once (numbersOf jobs)) (h : inTurn jobs = true) : Turn (batchOf (rc d) jobs) jobs :=
  batch_keeps d jobs (fun l => Turn l jobs)
    (fun _ => turn_of_unserved h (decode_shares d d.bCol once))
    (fun _ => fill_in_turn d jobs d.bLcm fits once h)

theorem inTurn_of_turn {batch : List Entry} : ∀ {jobs : List Job}, Turn batch jobs →
    inTurn jobs = true
  | [], _ => rfl
  | j :: _, h => match h with
    | Or.inl ⟨decodes, rest⟩ => (cond_true _ _ decodes).trans (inTurn_of_turn rest)
    | Or.inr ⟨prompt, sorted, _⟩ => (cond_false _ _ prompt).trans sorted

theorem order_start {d : Deployment} (pos : 0 < d.bCol) (fits : d.bLcm ≤ d.chunk) (s : State)
    (idle : s.iterEnd = none) (h : Order d s) : Order d (startIteration (rc d) s) := by
  have numbered := numbered_start d s h.numbered
  have rate := rate_start (rad_priced d pos) s idle h.rate
  have turn := turn_batch fits (once_jobs h.numbered) (inTurn_of_turn h.turn)
  rewrite [start_eq]
  rewrite [start_eq] at numbered rate
  cases batch : batchOf (rc d) s.jobs with
  | nil => exact h
  | cons e rest =>
    rewrite [batch] at numbered rate turn
    exact Order.mk numbered rate h.came turn

/-- One more job at the end, as an arrival has it, gets nothing and comes after all. -/
theorem turn_then_one {batch : List Entry} {last : Job} {time : Nat}
    (new : last.decoding = false → last.done = 0) (its : last.session.arrive = time)
    (none : shareOf last.number batch = 0) : ∀ {jobs : List Job},
    All (fun j => j.session.arrive ≤ time) jobs → Turn batch jobs → Turn batch (chain jobs [last])
  | [], _, _ => by_test last.decoding
    (fun decodes => Or.inl ⟨decodes, True.intro⟩)
    (fun prompt => Or.inr ⟨prompt, rfl, Or.inr True.intro⟩)
  | _ :: _, before, h => match h with
    | Or.inl ⟨decodes, rest⟩ => Or.inl ⟨decodes, turn_then_one new its none before.2 rest⟩
    | Or.inr ⟨prompt, sorted, Or.inl ⟨done, rest⟩⟩ =>
      Or.inr ⟨prompt, waiting_then_one new before.1 its before.2 sorted,
        Or.inl ⟨done, turn_then_one new its none before.2 rest⟩⟩
    | Or.inr ⟨prompt, sorted, Or.inr unserved⟩ =>
      Or.inr ⟨prompt, waiting_then_one new before.1 its before.2 sorted,
        Or.inr (all_chain unserved ⟨fun _ => none, True.intro⟩)⟩

theorem order_arrival {d : Deployment} {s : State} {a : Arrival} {later : List Arrival}
    (h : Order d s) (next : nextEvent s = some (Event.arrival a later)) :
    Order d (handle (rc d) s (Event.arrival a later)) := by
  have first := (next_arrival next).1
  have rate := rate_handle (rc d) s h.rate _ next
  have numbered := numbered_handle (c := rc d) s h.numbered _ next
  have sorted := h.rate.sorted
  rewrite [first] at sorted
  have came : All (fun j => j.session.arrive ≤ a.session.arrive) s.jobs :=
    all_imp (fun _ before => le_trans before (sorted_parts sorted).1) h.came
  have none : shareOf a.number s.iter = 0 :=
    share_unknown h.numbered.known (to_come_is_new h.numbered first)
  refine Order.mk numbered rate ?_ ?_
  · show All (fun j => j.session.arrive ≤ a.session.arrive) (join s.jobs (admitted [a]))
    rewrite [join_eq]
    exact all_chain came (admitted_cases a []
      (All (fun j => j.session.arrive ≤ a.session.arrive))
      (fun _ => ⟨le_refl _, True.intro⟩) (fun _ => ⟨le_refl _, True.intro⟩) True.intro)
  · show Turn s.iter (join s.jobs (admitted [a]))
    rewrite [join_eq]
    refine admitted_cases a [] (fun l => Turn s.iter (chain s.jobs l))
      (fun _ => turn_then_one (last := Job.mk a.number a.session false 0) (fun _ => rfl) rfl
        none came h.turn)
      (fun _ => turn_then_one (last := Job.mk a.number a.session true 0) (fun _ => rfl) rfl
        none came h.turn) ?_
    show Turn s.iter (chain s.jobs [])
    rewrite [chain_nil]
    exact h.turn

theorem order_end {d : Deployment} {s : State} {t : Nat} (h : Order d s)
    (next : nextEvent s = some (Event.iterationEnd t)) :
    Order d (handle (rc d) s (Event.iterationEnd t)) := by
  have numbered := numbered_handle (c := rc d) s h.numbered _ next
  have rate := rate_handle (rc d) s h.rate _ next
  have present := h.rate.present
  rewrite [(next_end next).1] at present
  have came := end_sessions (rc d) s.iter (fun session => session.arrive ≤ t)
    (all_imp (fun _ before => le_trans before present.1) h.came)
  rewrite [handle_end (rc d) s t (once_jobs h.numbered)]
  rewrite [handle_end (rc d) s t (once_jobs h.numbered)] at numbered rate
  exact Order.mk numbered rate (all_chain came.1 came.2)
    (turn_of_unserved (inTurn_then_decodes (rejoiners_decode (rc d) s.iter s.jobs)
      (inTurn_end h.turn)) (unserved_empty _))

theorem order_handle {d : Deployment} (s : State) (h : Order d s) (e : Event)
    (next : nextEvent s = some e) : Order d (handle (rc d) s e) := by
  cases e with
  | arrival a later => exact order_arrival h next
  | iterationEnd t => exact order_end h next

/-- The jobs of time 0 stand in order of arrival, as they arrive together. -/
theorem waiting_admitted : ∀ {l : List Arrival},
    All (fun a => a.session.arrive = 0) l → waiting 0 (admitted l) = true
  | [], _ => rfl
  | a :: l, h => admitted_cases a l (fun jobs => waiting 0 jobs = true)
    (fun _ => waiting_of_prompt rfl (zero_le _) rfl (by
      show waiting a.session.arrive (admitted l) = true
      rewrite [h.1]
      exact waiting_admitted h.2))
    (fun _ => waiting_of_decode rfl (waiting_admitted h.2))
    (waiting_admitted h.2)

theorem atZero_arrive : ∀ (l : List Arrival), All (fun a => a.session.arrive = 0) (atZero l)
  | [] => True.intro
  | a :: l => cond_keeps (All (fun (b : Arrival) => b.session.arrive = 0))
    (Nat.ble a.session.arrive 0)
    (fun now => ⟨zero_of_le (le_of_ble now), atZero_arrive l⟩) (fun _ => True.intro)

theorem admitted_arrive : ∀ {l : List Arrival}, All (fun a => a.session.arrive = 0) l →
    All (fun j => j.session.arrive ≤ 0) (admitted l)
  | [], _ => True.intro
  | a :: l, h => admitted_cases a l (All (fun j => j.session.arrive ≤ 0))
    (fun _ => ⟨le_of_eq h.1, admitted_arrive h.2⟩) (fun _ => ⟨le_of_eq h.1, admitted_arrive h.2⟩)
    (admitted_arrive h.2)

theorem order_initially (d : Deployment) (path : List Session) : Order d (initially path) :=
  have zero := atZero_arrive (inOrder (numbered 0 path))
  Order.mk (numbered_initially path) (rate_initially (rc d) path) (admitted_arrive zero)
    (turn_of_unserved (inTurn_of_waiting (waiting_admitted zero)) (unserved_empty _))

theorem arrival_order : Radproof.arrival_order := by
  intro d path s pos fits reached
  exact inTurn_of_turn (reach_keeps (rc d) (Order d) path
    (start_keeps (rc d) (Order d) path (order_initially d path) (order_start pos fits))
    (fun s h => step_keeps (rc d) (Order d) s h (order_handle s h) (order_start pos fits))
    s reached).turn

end Radproof.Proved
