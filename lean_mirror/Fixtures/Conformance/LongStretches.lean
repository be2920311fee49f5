import Proofs.Along

/-
Long prompts beside decodes, in stretches: more events than a file has theorems.
Scheduler: rad
The path's SHA-256: ee500217013a3e36d35421e0fbccbaca0739beefc46cc8d5204177914c60d71b
Never edit this file; make it again: radproof lean fixtures --bless
Made by: radproof 0.1.0, mirror 1
-/

set_option maxRecDepth 100000
set_option maxHeartbeats 1000000

namespace Radproof

/-! The deployment, the rules and the path. -/

def node : Deployment :=
  { bCol := 128, bRow := 1, bRed := 1, bLcm := 128, tLin := 4000, tNl := 5, chunk := 128 }

theorem node_bLcm : lcmOfTiles node = node.bLcm := rfl

def config : Config := { deployment := node, rules := rad }

def path : List Session :=
  
      [Session.mk 0 12800 40,
       Session.mk 0 6400 200,
       Session.mk 300000 0 30,
       Session.mk 1000000 3840 0]

theorem fills : FillsAsRad config :=
  ⟨fun _ => rfl, fun _ _ => rfl, fun _ _ _ => rfl, fun _ _ => rfl,
    fun _ _ => rfl, fun _ _ => rfl⟩

/-! The run in stretches: in each, one batch ends and starts again. -/

def i0 : Record :=
  { start := 0, stop := 4640, served := 0, tokens := 128, prefilled := 128, decoders := 0,
    decoding := 0, residents := 2, demand := 256 }

def s0 : State :=
  { now := 0,
    pending := 
      [Arrival.mk 2 (Session.mk 300000 0 30),
       Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 0 (Session.mk 0 12800 40) false 0,
       Job.mk 1 (Session.mk 0 6400 200) false 0],
    iter := [Entry.mk 0 false 128],
    iterEnd := some 4640,
    served := 128,
    last := some i0,
    ended := [] }

theorem t_0 : start config path = s0 := rfl

theorem reach_0 : Reach config path s0 :=
  Eq.subst (motive := Reach config path) t_0 Reach.start

def i1 : Record :=
  { start := 296960, stop := 301600, served := 8192, tokens := 128, prefilled := 128,
    decoders := 0, decoding := 0, residents := 2, demand := 256 }

def s1 : State :=
  { now := 296960,
    pending := 
      [Arrival.mk 2 (Session.mk 300000 0 30),
       Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 0 (Session.mk 0 12800 40) false 8192,
       Job.mk 1 (Session.mk 0 6400 200) false 0],
    iter := [Entry.mk 0 false 128],
    iterEnd := some 301600,
    served := 8320,
    last := some i1,
    ended := [] }

theorem t_1 : steps config 64 s0 = s1 :=
  Eq.trans (Proved.leap_along config s0 4640 63 fills
    (Proved.reached_once config path s0 reach_0)
    (fun h => List.noConfusion h) rfl rfl rfl rfl) rfl

theorem reach_1 : Reach config path s1 :=
  Eq.subst (motive := Reach config path) t_1 (Proved.reached_on config path s0 64 reach_0)

def s2 : State :=
  { now := 300000,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 0 (Session.mk 0 12800 40) false 8192,
       Job.mk 1 (Session.mk 0 6400 200) false 0,
       Job.mk 2 (Session.mk 300000 0 30) true 0],
    iter := [Entry.mk 0 false 128],
    iterEnd := some 301600,
    served := 8320,
    last := some i1,
    ended := [] }

theorem t_2 : step config s1 = s2 := rfl

theorem reach_2 : Reach config path s2 :=
  Eq.subst (motive := Reach config path) t_2 (Reach.step s1 reach_1)

def i2 : Record :=
  { start := 459360, stop := 464000, served := 12672, tokens := 128, prefilled := 128,
    decoders := 0, decoding := 1, residents := 3, demand := 257 }

def s3 : State :=
  { now := 459360,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 0 (Session.mk 0 12800 40) false 12672,
       Job.mk 1 (Session.mk 0 6400 200) false 0,
       Job.mk 2 (Session.mk 300000 0 30) true 0],
    iter := [Entry.mk 0 false 128],
    iterEnd := some 464000,
    served := 12800,
    last := some i2,
    ended := [] }

theorem t_3 : steps config 35 s2 = s3 :=
  Eq.trans (Proved.leap_along config s2 301600 34 fills
    (Proved.reached_once config path s2 reach_2)
    (fun h => List.noConfusion h) rfl rfl rfl rfl) rfl

theorem reach_3 : Reach config path s3 :=
  Eq.subst (motive := Reach config path) t_3 (Proved.reached_on config path s2 35 reach_2)

def i3 : Record :=
  { start := 464000, stop := 468640, served := 12800, tokens := 128, prefilled := 128,
    decoders := 0, decoding := 2, residents := 3, demand := 130 }

def s4 : State :=
  { now := 464000,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 1 (Session.mk 0 6400 200) false 0,
       Job.mk 2 (Session.mk 300000 0 30) true 0,
       Job.mk 0 (Session.mk 0 12800 40) true 0],
    iter := [Entry.mk 1 false 128],
    iterEnd := some 468640,
    served := 12928,
    last := some i3,
    ended := [] }

theorem t_4 : step config s3 = s4 := rfl

theorem reach_4 : Reach config path s4 :=
  Eq.subst (motive := Reach config path) t_4 (Reach.step s3 reach_3)

def i4 : Record :=
  { start := 691360, stop := 696000, served := 19072, tokens := 128, prefilled := 128,
    decoders := 0, decoding := 2, residents := 3, demand := 130 }

def s5 : State :=
  { now := 691360,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 1 (Session.mk 0 6400 200) false 6272,
       Job.mk 2 (Session.mk 300000 0 30) true 0,
       Job.mk 0 (Session.mk 0 12800 40) true 0],
    iter := [Entry.mk 1 false 128],
    iterEnd := some 696000,
    served := 19200,
    last := some i4,
    ended := [] }

theorem t_5 : steps config 49 s4 = s5 :=
  Eq.trans (Proved.leap_along config s4 468640 48 fills
    (Proved.reached_once config path s4 reach_4)
    (fun h => List.noConfusion h) rfl rfl rfl rfl) rfl

theorem reach_5 : Reach config path s5 :=
  Eq.subst (motive := Reach config path) t_5 (Proved.reached_on config path s4 49 reach_4)

def i5 : Record :=
  { start := 696000, stop := 700015, served := 19200, tokens := 3, prefilled := 0, decoders := 3,
    decoding := 3, residents := 3, demand := 3 }

def s6 : State :=
  { now := 696000,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 2 (Session.mk 300000 0 30) true 0,
       Job.mk 0 (Session.mk 0 12800 40) true 0,
       Job.mk 1 (Session.mk 0 6400 200) true 0],
    iter := [Entry.mk 2 true 1, Entry.mk 0 true 1, Entry.mk 1 true 1],
    iterEnd := some 700015,
    served := 19203,
    last := some i5,
    ended := [] }

theorem t_6 : step config s5 = s6 := rfl

theorem reach_6 : Reach config path s6 :=
  Eq.subst (motive := Reach config path) t_6 (Reach.step s5 reach_5)

def i6 : Record :=
  { start := 812435, stop := 816450, served := 19287, tokens := 3, prefilled := 0, decoders := 3,
    decoding := 3, residents := 3, demand := 3 }

def s7 : State :=
  { now := 812435,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 2 (Session.mk 300000 0 30) true 29,
       Job.mk 0 (Session.mk 0 12800 40) true 29,
       Job.mk 1 (Session.mk 0 6400 200) true 29],
    iter := [Entry.mk 2 true 1, Entry.mk 0 true 1, Entry.mk 1 true 1],
    iterEnd := some 816450,
    served := 19290,
    last := some i6,
    ended := [] }

theorem t_7 : steps config 29 s6 = s7 :=
  Eq.trans (Proved.leap_along config s6 700015 28 fills
    (Proved.reached_once config path s6 reach_6)
    (fun h => List.noConfusion h) rfl rfl rfl rfl) rfl

theorem reach_7 : Reach config path s7 :=
  Eq.subst (motive := Reach config path) t_7 (Proved.reached_on config path s6 29 reach_6)

def i7 : Record :=
  { start := 816450, stop := 820460, served := 19290, tokens := 2, prefilled := 0, decoders := 2,
    decoding := 2, residents := 2, demand := 2 }

def s8 : State :=
  { now := 816450,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 0 (Session.mk 0 12800 40) true 30,
       Job.mk 1 (Session.mk 0 6400 200) true 30],
    iter := [Entry.mk 0 true 1, Entry.mk 1 true 1],
    iterEnd := some 820460,
    served := 19292,
    last := some i7,
    ended := [2] }

theorem t_8 : step config s7 = s8 := rfl

theorem reach_8 : Reach config path s8 :=
  Eq.subst (motive := Reach config path) t_8 (Reach.step s7 reach_7)

def i8 : Record :=
  { start := 852540, stop := 856550, served := 19308, tokens := 2, prefilled := 0, decoders := 2,
    decoding := 2, residents := 2, demand := 2 }

def s9 : State :=
  { now := 852540,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := 
      [Job.mk 0 (Session.mk 0 12800 40) true 39,
       Job.mk 1 (Session.mk 0 6400 200) true 39],
    iter := [Entry.mk 0 true 1, Entry.mk 1 true 1],
    iterEnd := some 856550,
    served := 19310,
    last := some i8,
    ended := [] }

theorem t_9 : steps config 9 s8 = s9 :=
  Eq.trans (Proved.leap_along config s8 820460 8 fills
    (Proved.reached_once config path s8 reach_8)
    (fun h => List.noConfusion h) rfl rfl rfl rfl) rfl

theorem reach_9 : Reach config path s9 :=
  Eq.subst (motive := Reach config path) t_9 (Proved.reached_on config path s8 9 reach_8)

def i9 : Record :=
  { start := 856550, stop := 860555, served := 19310, tokens := 1, prefilled := 0, decoders := 1,
    decoding := 1, residents := 1, demand := 1 }

def s10 : State :=
  { now := 856550,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := [Job.mk 1 (Session.mk 0 6400 200) true 40],
    iter := [Entry.mk 1 true 1],
    iterEnd := some 860555,
    served := 19311,
    last := some i9,
    ended := [0] }

theorem t_10 : step config s9 = s10 := rfl

theorem reach_10 : Reach config path s10 :=
  Eq.subst (motive := Reach config path) t_10 (Reach.step s9 reach_9)

def i10 : Record :=
  { start := 996725, stop := 1000730, served := 19345, tokens := 1, prefilled := 0, decoders := 1,
    decoding := 1, residents := 1, demand := 1 }

def s11 : State :=
  { now := 996725,
    pending := [Arrival.mk 3 (Session.mk 1000000 3840 0)],
    jobs := [Job.mk 1 (Session.mk 0 6400 200) true 75],
    iter := [Entry.mk 1 true 1],
    iterEnd := some 1000730,
    served := 19346,
    last := some i10,
    ended := [] }

theorem t_11 : steps config 35 s10 = s11 :=
  Eq.trans (Proved.leap_along config s10 860555 34 fills
    (Proved.reached_once config path s10 reach_10)
    (fun h => List.noConfusion h) rfl rfl rfl rfl) rfl

theorem reach_11 : Reach config path s11 :=
  Eq.subst (motive := Reach config path) t_11 (Proved.reached_on config path s10 35 reach_10)

def s12 : State :=
  { now := 1000000,
    pending := [],
    jobs := 
      [Job.mk 1 (Session.mk 0 6400 200) true 75,
       Job.mk 3 (Session.mk 1000000 3840 0) false 0],
    iter := [Entry.mk 1 true 1],
    iterEnd := some 1000730,
    served := 19346,
    last := some i10,
    ended := [] }

theorem t_12 : step config s11 = s12 := rfl

theorem reach_12 : Reach config path s12 :=
  Eq.subst (motive := Reach config path) t_12 (Reach.step s11 reach_11)

def i11 : Record :=
  { start := 1000730, stop := 1005370, served := 19346, tokens := 128, prefilled := 128,
    decoders := 0, decoding := 1, residents := 2, demand := 129 }

def s13 : State :=
  { now := 1000730,
    pending := [],
    jobs := 
      [Job.mk 1 (Session.mk 0 6400 200) true 76,
       Job.mk 3 (Session.mk 1000000 3840 0) false 0],
    iter := [Entry.mk 3 false 128],
    iterEnd := some 1005370,
    served := 19474,
    last := some i11,
    ended := [] }

theorem t_13 : step config s12 = s13 := rfl

theorem reach_13 : Reach config path s13 :=
  Eq.subst (motive := Reach config path) t_13 (Reach.step s12 reach_12)

def i12 : Record :=
  { start := 1135290, stop := 1139930, served := 23058, tokens := 128, prefilled := 128,
    decoders := 0, decoding := 1, residents := 2, demand := 129 }

def s14 : State :=
  { now := 1135290,
    pending := [],
    jobs := 
      [Job.mk 1 (Session.mk 0 6400 200) true 76,
       Job.mk 3 (Session.mk 1000000 3840 0) false 3712],
    iter := [Entry.mk 3 false 128],
    iterEnd := some 1139930,
    served := 23186,
    last := some i12,
    ended := [] }

theorem t_14 : steps config 29 s13 = s14 :=
  Eq.trans (Proved.leap_along config s13 1005370 28 fills
    (Proved.reached_once config path s13 reach_13)
    (fun h => List.noConfusion h) rfl rfl rfl rfl) rfl

theorem reach_14 : Reach config path s14 :=
  Eq.subst (motive := Reach config path) t_14 (Proved.reached_on config path s13 29 reach_13)

def i13 : Record :=
  { start := 1139930, stop := 1143935, served := 23186, tokens := 1, prefilled := 0,
    decoders := 1, decoding := 1, residents := 1, demand := 1 }

def s15 : State :=
  { now := 1139930,
    pending := [],
    jobs := [Job.mk 1 (Session.mk 0 6400 200) true 76],
    iter := [Entry.mk 1 true 1],
    iterEnd := some 1143935,
    served := 23187,
    last := some i13,
    ended := [3] }

theorem t_15 : step config s14 = s15 := rfl

theorem reach_15 : Reach config path s15 :=
  Eq.subst (motive := Reach config path) t_15 (Reach.step s14 reach_14)

def i14 : Record :=
  { start := 1632545, stop := 1636550, served := 23309, tokens := 1, prefilled := 0,
    decoders := 1, decoding := 1, residents := 1, demand := 1 }

def s16 : State :=
  { now := 1632545,
    pending := [],
    jobs := [Job.mk 1 (Session.mk 0 6400 200) true 199],
    iter := [Entry.mk 1 true 1],
    iterEnd := some 1636550,
    served := 23310,
    last := some i14,
    ended := [] }

theorem t_16 : steps config 123 s15 = s16 :=
  Eq.trans (Proved.leap_along config s15 1143935 122 fills
    (Proved.reached_once config path s15 reach_15)
    (fun h => List.noConfusion h) rfl rfl rfl rfl) rfl

theorem reach_16 : Reach config path s16 :=
  Eq.subst (motive := Reach config path) t_16 (Proved.reached_on config path s15 123 reach_15)

def s17 : State :=
  { now := 1636550,
    pending := [],
    jobs := [],
    iter := [],
    iterEnd := none,
    served := 23310,
    last := some i14,
    ended := [1] }

theorem t_17 : step config s16 = s17 := rfl

theorem reach_17 : Reach config path s17 :=
  Eq.subst (motive := Reach config path) t_17 (Reach.step s16 reach_16)

/-! What each claim asks of the path, and whether it holds of each iteration above. -/

theorem token_rate_0 : token_rate node i0 = true := rfl

theorem token_rate_1 : token_rate node i1 = true := rfl

theorem token_rate_2 : token_rate node i2 = true := rfl

theorem token_rate_3 : token_rate node i3 = true := rfl

theorem token_rate_4 : token_rate node i4 = true := rfl

theorem token_rate_5 : token_rate node i5 = true := rfl

theorem token_rate_6 : token_rate node i6 = true := rfl

theorem token_rate_7 : token_rate node i7 = true := rfl

theorem token_rate_8 : token_rate node i8 = true := rfl

theorem token_rate_9 : token_rate node i9 = true := rfl

theorem token_rate_10 : token_rate node i10 = true := rfl

theorem token_rate_11 : token_rate node i11 = true := rfl

theorem token_rate_12 : token_rate node i12 = true := rfl

theorem token_rate_13 : token_rate node i13 = true := rfl

theorem token_rate_14 : token_rate node i14 = true := rfl

theorem given_optimal_tiling_path : List.all path (given_optimal_tiling node) = true := rfl

theorem optimal_tiling_0 : optimal_tiling node i0 = true := rfl

theorem optimal_tiling_1 : optimal_tiling node i1 = true := rfl

theorem optimal_tiling_2 : optimal_tiling node i2 = true := rfl

theorem optimal_tiling_3 : optimal_tiling node i3 = true := rfl

theorem optimal_tiling_4 : optimal_tiling node i4 = true := rfl

theorem optimal_tiling_5 : optimal_tiling node i5 = true := rfl

theorem optimal_tiling_6 : optimal_tiling node i6 = true := rfl

theorem optimal_tiling_7 : optimal_tiling node i7 = true := rfl

theorem optimal_tiling_8 : optimal_tiling node i8 = true := rfl

theorem optimal_tiling_9 : optimal_tiling node i9 = true := rfl

theorem optimal_tiling_10 : optimal_tiling node i10 = true := rfl

theorem optimal_tiling_11 : optimal_tiling node i11 = true := rfl

theorem optimal_tiling_12 : optimal_tiling node i12 = true := rfl

theorem optimal_tiling_13 : optimal_tiling node i13 = true := rfl

theorem optimal_tiling_14 : optimal_tiling node i14 = true := rfl

end Radproof
