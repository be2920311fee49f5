import Proofs.Rate

/-!
# The clock's identity of one iteration

b_col times what an iteration lasts is its tokens' share of full tiles, and t_lin times the tokens
that its tiles lack. `tiled_rate` is this with the second part left out.
-/

namespace Radproof.Proved

/-- A batch with a token is charged for a tile or more, so the least duration of 1 plays no part. -/
theorem duration_of_batch {d : Deployment} {b tiles : Nat} (tLin : 0 < d.tLin) (some : 0 < tiles) :
    maximum 1 (d.tLin * tiles + d.tNl * b) = d.tLin * tiles + d.tNl * b :=
  maximum_right (le_trans (pos_cases some (fun k hk => by
    rewrite [hk]
    show 1 ≤ d.tLin * k + d.tLin
    exact le_trans tLin (le_plus_left _ _))) (le_plus _ _))

theorem clock_identity : Radproof.clock_identity := by
  intro d b pos some tLin
  refine pos_cases pos (fun m hb => ?_)
  show d.bCol * maximum 1 (d.tLin * ((b + d.bCol - 1) / d.bCol) + d.tNl * b) =
    b * (d.tLin + d.tNl * d.bCol) + d.tLin * (((b + d.bCol - 1) / d.bCol) * d.bCol - b)
  rewrite [hb]
  cases Nat.le.dest (tiles_hold m b) with
  | intro waste whole =>
    revert whole
    generalize (b + (m + 1) - 1) / (m + 1) = tiles
    intro whole
    have charged : 0 < tiles := by
      cases tiles with
      | succ k => exact le_plus_one (zero_le k)
      | zero =>
        have none : b + waste = 0 := whole
        exact not_less_zero (le_trans some (le_trans (le_plus b waste) (le_of_eq none)))
    rewrite [duration_of_batch tLin charged, Nat.mul_comm tiles (m + 1), ← whole, plus_minus]
    -- (m + 1)(t_lin tiles + t_nl b) = b (t_lin + t_nl (m + 1)) + t_lin waste
    rewrite [Nat.left_distrib (m + 1), Nat.left_distrib b, ← Nat.mul_assoc,
      Nat.mul_comm (m + 1) d.tLin, Nat.mul_assoc d.tLin, ← whole, Nat.left_distrib d.tLin,
      Nat.mul_comm d.tLin b, Nat.add_right_comm, ← Nat.mul_assoc (m + 1),
      Nat.mul_comm (m + 1) d.tNl, Nat.mul_comm b (d.tNl * (m + 1))]
    exact rfl

end Radproof.Proved
