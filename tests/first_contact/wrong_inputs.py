"""Wrong inputs of a new user, each with the one error line that answers it.

A command follows ``python -m``; its line is printed on stderr with exit code 2. A file is the input of
``python -m theory value -``. A statement is evaluated in Python, after `PREPARED`; its line is the text of a
`BanditError`, unless it begins with the name of another error. A line that ends in "..." is a prefix: it continues with
a list that may grow.
"""

from __future__ import annotations

import json

ARM = {"states": ["x", "y"], "rewards": ["1", "0"], "transitions": [["1/2", "1/2"], ["0", "1"]]}
MODEL = {"discount": "1/2", "arms": [ARM], "initial": ["x"]}


def model(**changes):
    """The text of the model file above with changes to its arm or to itself."""
    of_arm = {key: value for key, value in changes.items() if key in ("states", "rewards", "transitions", "reward")}
    others = {key: value for key, value in changes.items() if key not in of_arm}
    return json.dumps(MODEL | {"arms": [ARM | of_arm]} | others)


UNPLAYABLE = """
def three(a, b, c): ...
class Planless:
    def __init__(self, problem): ...
class Unobserving(Planless):
    def plan(self, rng): ...
class Drawless(Unobserving):
    def plan(self): ...
    def observe(self, trajectory): ...
"""

COMMANDS = {
    "theory frobnicate": "No such command 'frobnicate'. See python -m theory --help.",
    "theory value": "Missing argument 'MODEL'. See python -m theory value --help.",
    "theory indices counterexample A1": "Got unexpected extra argument (A1). See python -m theory indices --help.",
    "theory indices counterexample --digits 3 --digits 4": "--digits is given 2 times; give it once. See python -m theory indices --help.",
    "theory value nowhere.json": "nowhere.json: there is no such file",
    "theory indices ''": "the name of the model file is empty; python -m theory example prints a model file",
    "theory indices unplayable.py": "unplayable.py: not JSON: Expecting value at line 2, column 1; what a Python file defines is named by module and name, as in myscenario:make",
    "mbrl plot new --width 300": "Invalid value for '--width': '300' is no width: write a number and one of in, cm, mm, pt, as in 8cm. See python -m mbrl plot --help.",
    "mbrl plot new --width 300in": "Invalid value for '--width': 300in is too wide: give 2 to 40 inches, or 5.08 to 101.6 cm. See python -m mbrl plot --help.",
    "proofs_checks show 'eq. (24)'": "no claim is called 'eq. (24)'; it is in Section A.2, proof of Lemma 2, equation (24): python -m proofs_checks --section A.2 lists the claims there",
    "theory indices log.csv": "log.csv: not JSON: Expecting value at line 1, column 1; python -m theory import makes a model file of a table",
    "theory value placeless.json --priority nowhere.csv --initial x": "nowhere.csv: cannot be read (No such file or directory)",
    "theory bounds --sizes 5x3 --discount 0.9 --episodes 1e5": "--sizes: '5x3' is not of the form 10,50, states per arm and arms",
    "theory import placeless.json --discount 0.9": "placeless.json: is no table; if it is a model file, python -m theory indices reads it",
    "theory import log.csv --discount 0.9": "log.csv: neither a list of transitions, with columns arm, from and to, nor the matrix of an arm, with a column for each state; its columns are Machine, Before, After; say which is which with --columns arm=...,from=...,to=... (in Python: columns=)",
    "theory import log.csv --discount 'exp(-log(1.05)/52)'": "discount: 'exp(-log(1.05)/52)' is not a number: write an integer, a fraction such as 321/100, or a decimal; indices --discount and value --discount take expressions too",
    "proofs_checks kernel --certificate log.csv": "log.csv: not JSON: Expecting value: line 1 column 1 (char 0); give the file that indices or value --certificate wrote",
    "theory value .": ".: cannot be read (Is a directory)",
    "theory value counterexample --jason": "No such option '--jason'. Did you mean '--json'? See python -m theory value --help.",
    "theory value counterexample --priority A1,A2": "priority: incomplete, 4 of 6 states missing: A3, B1, B2, B3",
    "theory value counterexample --priority A1,A1,A2,A3,B1,B2": "priority: A1 comes twice; every state comes once",
    "theory value counterexample --priority A1;A2;A3": "no state is called 'A1;A2;A3'; the states are A1, A2, A3, B1, B2, B3",
    "theory value counterexample --initial A1": "initial: 1 states given for 2 arms; give one state per arm",
    "theory value counterexample --initial A1,A2": "initial, arm 2: A2 is a state of arm 1",
    "theory value counterexample --initial 0,7": "initial, arm 2: index 7 is outside 0..2",
    "theory value counterexample --policy greedy": "no policy is called 'greedy'; give --policy gittins, or --priority with an order",
    "theory value counterexample --policy gittins --priority A1": "give --policy or --priority, not both",
    "theory value counterexample --method guess": "no value method is called 'guess'; the methods are conservation, linear-system",
    "theory value placeless.json": "the model does not say where play starts: give one state per arm, as in --initial x",
    "theory value task-scheduling --method linear-system": "the product of the arms has 2357947691 global states (11 * 11 * 11 * 11 * 11 * 11 * 11 * 11 * 11), beyond 2048 for exact linear systems; for a priority policy use the conservation laws, which need no product",
    "theory optimism task-scheduling": "the product of the arms has 2357947691 global states (11 * 11 * 11 * 11 * 11 * 11 * 11 * 11 * 11), beyond 2048 for exact linear systems; extended value iteration needs the product; with all radii 0 its value is that of the Gittins policy",
    "theory indices counterexample --method guess": "no index method is called 'guess'; the methods are elimination, largest-remaining, restart, retirement, definition",
    "theory parametric task-scheduling --largest 0": "Invalid value for '--largest': 0 is not in the range x>=1. See python -m theory parametric --help.",
    "theory indices counterexample --certificate placeless.json/x": "placeless.json/x: cannot be written (placeless.json is a file, not a folder)",
    "theory indices placeless.json --certificate ./placeless.json": "placeless.json: is the model file itself; give another file for the certificate",
    "theory value counterexample --priority A1,A2,A3,B1,B2,B3 --certificate new": "a certificate is of the optimal values: leave out --priority",
    "theory value counterexample --certificate .": ". is a folder; give the name of a file",
    "theory value counterexample --certificate ''": "--certificate: an empty name; write that of a file",
    "theory export counterexample --format xml": "no format is called 'xml'; the formats are prism",
    "theory example": "Missing argument 'NAME'. Choose from: counterexample, counterexample-m1, counterexample-m2, random-walk, task-scheduling, lower-bound. See python -m theory example --help.",
    "theory example fig7": "Invalid value for 'NAME': 'fig7' is not one of 'counterexample', 'counterexample-m1', 'counterexample-m2', 'random-walk', 'task-scheduling', 'lower-bound'. See python -m theory example --help.",
    "mbrl run nowhere --out new": "no scenario is called 'nowhere'; the scenarios are random-walk, ...",
    "mbrl run . --out new": ". is a folder, and no scenario; a run is extended by its scenario and --out .",
    "mbrl run random-walk": "Missing option '--out'. See python -m mbrl run --help.",
    "mbrl run random-walk --out new --jobs 0": "Invalid value for '--jobs': 0 is not in the range x>=1. See python -m mbrl run --help.",
    "mbrl run random-walk --out new --episodes many": "Invalid value for '--episodes': 'many' is not a valid integer. See python -m mbrl run --help.",
    "mbrl run random-walk --out placeless.json/x": "placeless.json/x: cannot be written (placeless.json is a file, not a folder)",
    "mbrl run random-walk --out ''": "--out: an empty name; write that of a folder",
    "mbrl run random-walk --out new --episodes -4": "episodes: -4 is too few; give at least 1",
    "mbrl plot new --out placeless.json/x": "placeless.json/x: cannot be written (placeless.json is a file, not a folder)",
    "mbrl run random-walk --out new --simulations 0": "simulations: 0 is too few; give at least 1",
    "mbrl run random-walk --out new --agents nobody": "no agent is called 'nobody'; the agents are mb-psrl, ...",
    "mbrl run random-walk --out new --agents mine:Learner": "agent 'mine:Learner' cannot be imported: No module named 'mine'",
    "mbrl run placeless.json --out new": "placeless.json: to be played, the model must say where play starts (key 'initial')",
    "mbrl run random-walk --out placeless.json": "placeless.json is a file; give a folder",
    "mbrl run expression.json --out new": "expression.json: expressions are for theory alone; write its numbers as decimals to play it",
    "mbrl run unplayable.py:three --out new": "scenario 'unplayable.py:three': write module:attribute, such as unplayable:three, in the module's folder",
    "mbrl run unplayable:three --out new": "scenario unplayable:three is called with (): missing a required argument: 'a'",
    "mbrl run random-walk --out new --agents unplayable:three --jobs 1": "agent unplayable:three is called with (problem): missing a required argument: 'b'",
    "mbrl run random-walk --out new --agents unplayable:Planless --jobs 1": "agent unplayable:Planless has no method plan(rng); see python -m mbrl example learner",
    "mbrl run random-walk --out new --agents unplayable:Unobserving --jobs 1": "agent unplayable:Unobserving has no method observe(trajectory); see python -m mbrl example learner",
    "mbrl run random-walk --out new --agents unplayable:Drawless --jobs 1": "agent unplayable:Drawless: plan is called with (rng): too many positional arguments",
    "mbrl judge random-walk unplayable:three": "the policy is called with (state): missing a required argument: 'b'",
    "mbrl plot .": ". holds no results: there is no regret.nc",
    "mbrl plot ''": ". holds no results: there is no regret.nc",
    "theory parametric counterexample --largest two": "Invalid value for '--largest': 'two' is not a valid integer. See python -m theory parametric --help.",
    "theory indices counterexample --discount sin(0.3": "discount: 'sin(0.3' is not a number: it is no expression ('(' was never closed)",
    "mbrl run random-walk --out new --rewards poisson": "rewards: 'poisson' is none of bernoulli, constant and gaussian:DEVIATION",
    "mbrl judge counterexample unplayable:gone": "policy 'unplayable:gone' cannot be imported: module 'unplayable' has no attribute 'gone'",
    "proofs_checks show ''": "no claim is called ''; python -m proofs_checks lists all, --section B those of a section",
    "proofs_checks show 8S/K": "no claim is called '8S/K'; it stands in lem:concentration_T_i, ...",
    "proofs_checks show 3598": "no claim is called '3598'; it stands in thm:lower_bound/repair, thm:lower_bound/needle",
    "proofs_checks show E^V": "no claim is called 'E^V'; it stands in def:estimators/no-visit, ...",
    "proofs_checks show 831": "no claim is called '831'; python -m proofs_checks show line 831 shows a claim of that line",
    "proofs_checks show Neumann": "no claim is called 'Neumann'; neumann-series is a cause: python -m proofs_checks --cause neumann-series",
    "proofs_checks kernel --certificate placeless.json": "placeless.json: no certificate; python -m theory value MODEL --certificate FILE writes one",
    "proofs_checks show counterexample": "counterexample is a model: python -m theory value counterexample, or indices, optimism, example",
    "proofs_checks show Appendix E": "no claim is called 'Appendix E'; python -m proofs_checks --section E lists the entries of that section",
    "proofs_checks show Section 9": "no claim is called 'Section 9'; the sections are 1, 2.1, ...",
    "proofs_checks show Figure 9": "no claim is called 'Figure 9'; there are Figure 4, Figure 5, Figure 6",
    "mbrl plot new --width 8km": "Invalid value for '--width': '8km' is no width: write a number and one of in, cm, mm, pt, as in 8cm. See python -m mbrl plot --help.",
    "proofs_checks show thm:no_OFU/value-M3": "no claim is called 'thm:no_OFU/value-M3'; the nearest are thm:no_OFU/...",
    "proofs_checks check thm:no_OFU/radius --jobs 0": "Invalid value for '--jobs': 0 is not in the range x>=1. See python -m proofs_checks check --help.",
    "proofs_checks --section Z.9": "no entry is in section 'Z.9' of the paper; the sections are 1, 2.1, ...",
    "proofs_checks check --section Z.9": "no entry is in section 'Z.9' of the paper; the sections are 1, 2.1, ...",
    "proofs_checks check --section 'Appendix Z.9'": "no entry is in section 'Z.9' of the paper; the sections are 1, 2.1, ...",
    "proofs_checks --cause integral": "no cause is called 'integral'; the nearest are integral-...",
    "proofs_checks --severity grave": "Invalid value for '--severity': 'grave' is not one of 'major', 'gap', 'edge', 'slip', 'limit'. See python -m proofs_checks --help.",
    "proofs_checks check --origin mine": "Invalid value for '--origin': 'mine' is not one of 'printed', 'implied', 'ours'. See python -m proofs_checks check --help.",
    "proofs_checks properties --replace bonus=unplayable:three": "bonus is called with (S, n, K, t, N, beta), by these names: missing a required argument: 'a'",
    "proofs_checks properties --replace bonus=1": "bonus: a function bonus(S, n, K, t, N, beta) is wanted, not '1'; write bonus=module:function",
    "proofs_checks properties --replace bonus=1 --replace bonus=2": "--replace bonus: given twice; one formula takes its place",
    "proofs_checks properties --out .": ".: exists already; give a new or empty folder",
    "proofs_checks soak --out placeless.json": "placeless.json is a file; give a folder",
    "proofs_checks report placeless.json": "placeless.json is a file; give a folder",
    "proofs_checks picture moment sunset.gif": "sunset.gif: the ending says the format, and is .png, .pdf or .svg",
    "proofs_checks record new --out nowhere/record.json": "nowhere/record.json: cannot be written (there is no folder nowhere)",
    "proofs_checks kernel --model counterexample --terms placeless.json": "placeless.json is a file; give a folder",
    "proofs_checks properties --replace discount=2": "discount: 2 is outside 0 <= discount < 1",
    "proofs_checks properties --replace radius=-1": "radius: -1 is negative",
    "proofs_checks properties --replace radius=1/10 --replace radius=1/20": "--replace radius: given twice; one formula takes its place",
    "proofs_checks picture sunset sunset.png": "no picture is called 'sunset'; the pictures are moment, ...",
    "proofs_checks conform mine:gittins --kind gittins": "function 'mine:gittins' cannot be imported: No module named 'mine'",
    "proofs_checks conform math:sin": "Missing option '--kind'. See python -m proofs_checks conform --help.",
    "proofs_checks conform math:sin --kind whittle": "no kind is called 'whittle'; the kinds are gittins, value, evi, agent",
    "proofs_checks conform math:sin --kind gittins --tolerance nan": "tolerance: nan is not above 0 and at most 1",
    "proofs_checks conform math:sin --kind gittins --failure .": ". is a folder; give the name of a file",
}

FILES = {
    "": "it is empty; python -m theory example prints a model file",
    " \n": "it is empty; python -m theory example prints a model file",
    "{": "not JSON: Expecting property name enclosed in double quotes at line 1, column 2",
    "[]": "the model must be a JSON object with the keys discount, arms, initial",
    model(discount=float("nan")): "discount: NaN is not an exact number: write an integer, or text such as '321/100' or '3.21'",
    model(rewards=[1, float("inf")]): "arm 1, state y: reward Infinity is not an exact number: write an integer, or text such as '321/100' or '3.21'",
    model(rewards=[1, "1e-999999999"]): "arm 1, state y: reward '1e-999999999' has an exponent beyond 10000, above 0 or below",
    '{"discount": "1/2", "discount": "1/3", "arms": []}': "the key 'discount' comes twice in one object",
    '{"discount": "1/2"}': "the model: the key 'arms' is missing",
    model(arms=[]): "a bandit needs at least one arm",
    model(arms={"x": 1}): "arms: a JSON list is wanted, not an object",
    model(beta=1): "the model: unknown key 'beta'; the keys are discount, arms, initial",
    model(discount=1): "discount: 1 is outside 0 <= discount < 1",
    model(discount="nearly 1"): "discount: 'nearly 1' is not a number: write an integer, a fraction such as 321/100, or a decimal",
    model(discount=None): "discount: null is not an exact number: write an integer, or text such as '321/100' or '3.21'",
    model(reward=[1, 0]): "arm 1: unknown key 'reward'; the keys are rewards, transitions, states, ...",
    model(rewards=[1]): "arm 1, 1 rewards but 2 state names: give one name per state",
    model(rewards=[1, None]): "arm 1, state y: reward null is not an exact number: write an integer, or text such as '321/100' or '3.21'",
    model(rewards=[1, "a lot"]): "arm 1, state y: reward 'a lot' is not a number: write an integer, a fraction such as 321/100, or a decimal",
    model(rewards=[1, "1/0"]): "arm 1, state y: reward '1/0' is not a number: division by 0",
    model(rewards=[1, [0, 1]]): "arm 1, state y: reward a list (an interval is written \"0.6 +/- 0.1\") is not an exact number: write an integer, or text such as '321/100' or '3.21'",
    model(rewards=[1, "[0, 1]"]): "arm 1, state y: reward '[0, 1]' is not a number: write an integer, a fraction such as 321/100, or a decimal; an interval in a model file is written 0.6 +/- 0.1",
    model(rewards=[1, [0]]): "arm 1, state y: reward a list is not an exact number: write an integer, or text such as '321/100' or '3.21'",
    model(transitions=[["1/2", "0.6"], [0, 1]]): "arm 1, state x: row sums to 11/10, not 1",
    model(transitions=[["1e300", "1"], [0, 1]]): f"arm 1, state x: row sums to 1{'0' * 97}...{'0' * 96}1, not 1",
    model(transitions=[["3/2", "-1/2"], [0, 1]]): "arm 1, state x: row has the negative probability -1/2",
    model(transitions=[["1/3", "1/3", "1/3"], [0, 1]]): "arm 1, state x: 3 transition probabilities for 2 states",
    model(transitions=[[0, 1]]): "arm 1, 2 rewards but 1 transition rows: give one row per state",
    model(transitions="identity"): 'arm 1, transitions: a JSON list is wanted, not "identity"',
    model(states=["x", "x"]): "arm 1, state x: the name comes twice in the arm",
    model(states=["x", 2]): "arm 1, state name 2: a name is text",
    model(initial="x"): 'initial: a JSON list is wanted, not "x"',
    model(initial=["z"]): "no state is called 'z'; the states are x, y",
    model(initial=[2]): "initial, arm 1: index 2 is outside 0..1",
    model(initial=[0, 0]): "initial: 2 states given for 1 arms; give one state per arm",
    b"\xff\xfe".decode("latin-1"): "not UTF-8 text",
    "[" * 100_000: "not a model: the JSON is nested too deeply",
}  # fmt: skip

TABLES = {
    "arm;from;to;reward\n1;a;a;1\n": "its columns are separated by ';'; write commas; pandas.read_csv(..., sep=';', decimal=',') reads it",
    'arm,from,to,reward\n1,a,a,1\n"Press, left",a,a,1\n': "row 3: arm 'Press, left' has a comma, which separates names; write another character",
    "arm,from,to,reward\n1,a,a,1\narm,from,to,reward\n1,a,a,1\n": "row 3: the header again, as where files were joined; delete the row",
    "arm,from,to,probability,reward\n1,a,a,60,1\n1,a,b,40,1\n1,b,b,1,1\n": "arm 1, state a: row sums to 100, not 1; divide percentages by 100",
    'arm,from,to,reward\n1,a,a,"1,5"\n': "row 2: '1,5' is not a number: write an integer, a fraction such as 321/100, or a decimal; a decimal has a point, not a comma",
    'arm,from,to,reward\n1,a,a,"1,234.50"\n': "row 2: '1,234.50' is not a number: write an integer, a fraction such as 321/100, or a decimal; leave out the commas, which separate thousands",
    "M1,M2,M3,M4,M5,M6\na,a,a,a,a,a\n": "neither a list of transitions, with columns arm, from and to, nor the matrix of an arm, with a column for each state; its columns are M1, M2, M3, M4, M5, ... (6 columns); say which is which with --columns arm=...,from=...,to=... (in Python: columns=)",
    "arm,from,to,reward\n1,1,a,2\n1,2,b,2\n": "no state of the column 'from', such as 1, is one of the column 'to', such as a",
    "arm,from,to,reward\n1,a\0,a,1\n": "row 2: is no text, it has a null character",
}

PREPARED = """
import json, sys
from decimal import Decimal
import numpy as np
import mbrl
from theory import *
import mbrl
from mbrl.policies import IndexPolicy
arm = Arm(rewards=[1, "1/2"], transitions=[["1/2", "1/2"], [0, 1]])
b = Bandit([arm, arm], "1/2")
"""

STATEMENTS = {
    "mbrl.bandit([np.eye(2)], [np.ones((2, 1))], 0.5)": "arm 1: rewards of shape (2, 1) for 2 states",
    "mbrl.bandit([np.eye(2)], [[1e308, -1e308]], 0.5)": "rewards: their range, -1e+308 to 1e+308, is beyond that of floats",
    "mbrl.bandit([np.eye(2)], [np.array(['2020-01-01', '2020-01-02'], 'M8[D]')], 0.5)": "arm 1: rewards are no array of numbers: complex numbers, dates or durations",
    "mbrl.run('random-walk', 'random', jobs=2.0)": "jobs: 2.0 is no whole number; write 2",
    "mbrl.run('random-walk', 'random', seed=True)": "seed: True is no whole number",
    "mbrl.run('random-walk', 'random', episodes=1e3)": "episodes: 1000.0 is no whole number; write 1000",
    "mbrl.run('random-walk', 'random', simulations=True)": "simulations: True is no whole number",
    "mbrl.summary(mbrl.run('random-walk', 'random', episodes=2).isel(simulation=[]))": "this dataset of a run has no simulation: select at least one",
    "mbrl.plot(mbrl.run('random-walk', 'random', episodes=2).isel(agent=[]))": "this dataset of a run has no agent: select at least one",
    "Arm([1, 0], [[1, 0], [0, 1]])": "TypeError: Arm.__init__() missing 2 required keyword-only arguments: 'rewards' and 'transitions'",
    "Arm(rewards=[0.5, 1], transitions=[[1, 0], [0, 1]])": 'state 1: reward 0.5 is a float, which is not exact: write Fraction(1, 2), "1/2" or "0.5"; Arm.from_floats reads floats',
    "Arm(rewards=np.array([0.5, 1]), transitions=np.eye(2))": 'state 1: transition probability 1.0 is a float, which is not exact: write Fraction(1, 1), "1" or "1.0"; Arm.from_floats reads floats',
    "Arm(rewards=[1, 0], transitions=np.array([[0.5, 0.5], [0, 1]]), states=['idle', 'busy'])": 'state idle: transition probability 0.5 is a float, which is not exact: write Fraction(1, 2), "1/2" or "0.5"; Arm.from_floats reads floats',
    "Arm.from_floats(rewards=[0.5, 1], transitions=[[0.5, 0.4], [0, 1]])": "state 1: row sums to 1 - 0.1, beyond rounding: divide it by its sum, or write it as fractions",
    "Arm.from_floats(rewards=[0.5, np.nan], transitions=np.eye(2))": "state 2: reward nan is not a number of the model",
    "Arm(rewards='10', transitions=['10', '01'])": "rewards: '10' is no list; give one number per state, such as [1, '1/2']",
    "Arm(rewards=[1, 0], transitions=['10', '01'])": "state 1: row: '10' is no list; give 2 transition probabilities, one per state",
    "Arm(rewards=[1, 0], transitions=[1, 0])": "state 1: row: 1 is no list; give 2 transition probabilities, one per state",
    "Arm(rewards=1, transitions=[[1]])": "rewards: 1 is no list; give one number per state, such as [1, '1/2']",
    "Arm(rewards={'x': 1, 'y': 0}, transitions=np.eye(2))": "rewards: {'x': 1, 'y': 0} is no list; give one number per state, such as [1, '1/2']",
    "Arm(rewards=np.array([1, 0], dtype='m8[s]'), transitions=[[1, 0], [0, 1]])": "state 1: reward np.timedelta64(1,'s') is not an exact number: write an integer, or text such as '321/100' or '3.21'",
    "Arm(rewards=[1, Decimal('NaN')], transitions=[[1, 0], [0, 1]])": "state 2: reward 'NaN' is not a number: write an integer, a fraction such as 321/100, or a decimal",
    "Arm(rewards=[1, 0], transitions=[[1, 0], [0, 1]], states='xy')": "states: 'xy' is no list; give one name per state, such as ['idle', 'busy']",
    "Bandit(arms=arm, discount='1/2')": "arms: this is one Arm; give a list of arms, such as [arm]",
    "Bandit([arm, 'arm'], '1/2')": "arm 2: 'arm' is not an Arm",
    "Bandit([arm], 0.99)": 'discount: 0.99 is a float, which is not exact: write Fraction(99, 100), "99/100" or "0.99"',
    "Bandit([arm], np.float64(0.99))": 'discount: 0.99 is a float, which is not exact: write Fraction(99, 100), "99/100" or "0.99"',
    "Bandit([arm], 1)": "discount: 1 is outside 0 <= discount < 1",
    "Bandit([arm, arm], '1/2', 0)": "initial: 0 is no list; give one state per arm, such as ['a1s1', 'a2s1']",
    "Bandit([arm, arm], '1/2', 'a1s1,a2s1')": "initial: 'a1s1,a2s1' is no list; give one state per arm, such as ['a1s1', 'a2s1']",
    "gittins_value(b)": "the model has no initial state: give initial, one state per arm",
    "gittins_value(b, 0)": "initial: 0 is no list; give one state per arm, such as ['a1s1', 'a2s1']",
    "gittins_value(b, [0, 2])": "initial, arm 2: index 2 is outside 0..1",
    "gittins_value(b, ['a2s1', 'a1s1'])": "initial, arm 1: a2s1 is a state of arm 2",
    "gittins_value(arm)": "a Bandit is wanted and this is an Arm: write Bandit([arm], discount)",
    "gittins_indices(b, '1/2')": "an Arm is wanted and this is a Bandit: give one of its arms, such as bandit.arms[0]",
    "gittins_indices([arm], '1/2')": "an Arm is wanted, not [Arm(rewards=(1, 1/2), transitions=((1/2, 1/2), (0, 1)), ...: write Arm(rewards=..., transitions=...)",
    "gittins_indices(arm)": "TypeError: gittins_indices() missing 1 required positional argument: 'discount'",
    "gittins_indices(arm, 0.5)": 'discount: 0.5 is a float, which is not exact: write Fraction(1, 2), "1/2" or "0.5"',
    "gittins_indices(arm, '1/2', method='guess')": "no index method is called 'guess'; the methods are elimination, largest-remaining, restart, retirement, definition",
    "priority_value(b, 'a1s1,a1s2,a2s1,a2s2', [0, 0])": "priority: 'a1s1,a1s2,a2s1,a2s2' is no list; give a list of all states, the most urgent first, such as ['a2s1', 'a1s1']",
    "priority_value(b, ['a1s1', 'a1s2'], [0, 0])": "priority: incomplete, 2 of 4 states missing: a2s1, a2s2",
    "priority_value(b, [0, 1, 2, 3], [0, 0])": "priority: 0 is no state: give names or (arm, state) pairs from 0",
    "policy_value(b, 'gittins')": "policy: 'gittins' is neither a function of the global state nor a dict by global state",
    "policy_value(b, [0, 1, 0, 1])": "policy: [0, 1, 0, 1] is neither a function of the global state nor a dict by global state",
    "policy_value(b, {(0, 0): 0})": "policy, global state (0, 1): None is not an arm; arms are 0..1",
    "optimistic_value(arm)": "a Bandit is wanted and this is an Arm: write Bandit([arm], discount)",
    "is_gittins(arm, '1/2', [1.0, 0.5])": '1.0 is a float, which is not exact: write Fraction(1, 1), "1" or "1.0"',
    "parse_model({'discount': '1/2'})": "the text of a model file is wanted, not {'discount': '1/2'}; json.dumps makes it of a dict",
    "read_model('{}')": "{}: there is no such file",
    "model_text(arm)": "a Bandit is wanted and this is an Arm: write Bandit([arm], discount)",
    "paper_model('fig7')": "no model is called 'fig7'; the paper's models are counterexample, counterexample-m1, counterexample-m2, random-walk, task-scheduling, lower-bound",
    "index_certificate(arm)": "a Bandit is wanted and this is an Arm: write Bandit([arm], discount)",
    "bandit_from_table({'arm': [1], 'from': [0], 'to': [0], 'reward': [1]}, '1/2', ignore=['day'])": "table 1: no column is called 'day'; its columns are arm, from, to, reward",
    "bandit_from_table({'arm': [1], 'from': [0], 'to': [0], 'reward': [1], 'week': [3]}, 0, ignore='weeks')": "table 1: no column is called 'weeks'; its columns are arm, from, to, reward, week",
    "bandit_from_table({'arm': [1], 'from': [0], 'to': [0]}, 0, rewards={'ok': 1})": "the table of rewards: the column 'ok' is 1, and no list; give a CSV file's path, a data frame, or a dict from columns to lists",
    "bandit_from_table({'arm': [1], 'from': [0], 'to': [0]}, 0, rewards=np.ones(2))": "the table of rewards: it is of type ndarray, and no table; give a CSV file's path, a data frame, or a dict from columns to lists",
    "bandit_from_table([{'arm': 1, 'from': 0, 'to': 0}], 0)": "table 1: the column 'arm' is 1, and no list; give a CSV file's path, a data frame, or a dict from columns to lists",
    "bandit_from_table(5, 0)": "table 1: it is of type int, and no table; give a CSV file's path, a data frame, or a dict from columns to lists",
    "bandit_from_table({}, 0, ignore=5)": "ignore: 5 is no list of columns, such as ['week']",
    "bandit_from_table({}, 0, columns='arm=machine')": "columns: 'arm=machine' is no dict, such as {'arm': 'machine'}",
    "bandit_from_table([{'arm': [1], 'from': [0], 'to': [0], 'reward': [1]}] * 2, 0)": "table 1: a list of transitions has all arms in one table; 2 are given: append the rows of a new log to those of the old one",
    "bandit_from_table([], 0)": "there is no table: give a list of transitions, or one matrix an arm",
    "mbrl.run('random-walk', [])": "agents: a learner's name, its class, or a list of these is wanted, not []",
    "mbrl.run('random-walk', 3)": "agents: a learner's name, its class, or a list of these is wanted, not 3",
    "mbrl.bandit(3, 4, 0.5)": "bandit: transitions: a list with one array per arm is wanted, not 3",
    "mbrl.judge(b, lambda state: 0)": "an environment is wanted, not Bandit(...",
    "mbrl.plot(None)": "this is no dataset of a run: ...",
    "mbrl.play(3, episodes=0)": "episodes: 0 is too few; give at least 1",
    "mbrl.play(3, episodes=2.5)": "episodes: 2.5 is no whole number",
    "mbrl.play(3, seed=-1)": "seed: -1 is outside 0..9223372036854775807",
    "mbrl.play(3)": "a Gymnasium environment is wanted, not 3; mbrl.run plays ...",
    "rational('1,5')": "'1,5' is not a number: write an integer, a fraction such as 321/100, or a decimal; a decimal has a point, not a comma",
    "rational(0.1)": '0.1 is a float, which is not exact: write Fraction(1, 10), "1/10" or "0.1"',
    "decimal_text(0.1)": '0.1 is a float, which is not exact: write Fraction(1, 10), "1/10" or "0.1"',
    "IndexPolicy.from_indices([[0.1], [0.2, 0.3]], [1, 3])": "arm 2: indices of shape (2,) for 3 states",
    "IndexPolicy.from_priority([(0, 0)], [1, 1])": "priority: every (arm, state) pair must come exactly once",
}
