"""The schedulers that come with radproof, each in its own file."""

from radproof.schedulers.faster_transformer import FasterTransformer, faster_transformer
from radproof.schedulers.orca import Orca, orca
from radproof.schedulers.rad import rad
from radproof.schedulers.rad_cycles import CyclicRAD, rad_cycles
from radproof.schedulers.rule_form import RuleScheduler
from radproof.schedulers.sarathi import Sarathi, sarathi
from radproof.schedulers.slai import SLAI, slai
from radproof.schedulers.vllm import VLLM, vllm

__all__ = [
    "SLAI",
    "VLLM",
    "CyclicRAD",
    "FasterTransformer",
    "Orca",
    "RuleScheduler",
    "Sarathi",
    "faster_transformer",
    "orca",
    "rad",
    "rad_cycles",
    "sarathi",
    "slai",
    "vllm",
]
