"""3 maps of table.csv, made with XIM Studio 0.1.0.

python maps.py            makes them again and compares
ximstudio verify maps.py  does so without running this file
"""

from ximstudio.reproduce import check, prepare, read, step, train

# Where the files are. If one has moved, change it here.
TABLE_1 = "table.csv"

# The table: how it is read, and what is done to it.
table_1 = prepare(
    read(TABLE_1),
    step(
        "impute", how="mean", axis="genes", k=10
    ),  # Fill missing values with the mean of their gene.
    step(
        "scale", axis="features", how="z", centre=True
    ),  # Scale every feature to standard deviation 1 (divided by n − 1), mean 0.
)

# Run 1: c-XIM, 'run of c-xim'
run_1 = train(
    table_1,
    "c-xim",  # c-XIM
    seed=2,  # of all random choices
    shape=(4, 5),  # Map size M, nodes
    lattice="rectangular",  # Map lattice r
    toroidal=False,  # Joined edges
    metric="euclidean",  # Distance d_E
    n_steps=300,  # Training steps t
    step=(0.45, 0.02),  # Step size ε
    width=(2.5, 0.4),  # Map width σ, grid units (chosen by the program)
    algorithm="online",  # Algorithm
    repulsion=0.25,  # Repulsion η
    reach=(1.5, 0.2),  # Data reach γ, × median distance between items
)

# Run 2: SOM, 'run of som'
run_2 = train(
    table_1,
    "som",  # SOM
    seed=2,  # of all random choices
    shape=(4, 5),  # Map size M, nodes
    lattice="rectangular",  # Map lattice r
    toroidal=False,  # Joined edges
    metric="euclidean",  # Distance d_E
    width=(2.5, 1.5),  # Map width σ, grid units (chosen by the program)
    algorithm="batch",  # Algorithm
)

# Run 3: PCA, 'run of pca'
run_3 = train(
    table_1,
    "pca",  # PCA
    seed=2,  # of all random choices
    metric="euclidean",  # Distance d_E
)

# The receipt: what came out when this was written. 'ximstudio verify' reads it, and
# nothing else in this file is run then.
EXPECTED = {
    "schema": 1,
    "program": {"ximstudio": "0.1.0"},
    "versions": {
        "python": "3.11.7",
        "numpy": "2.4.6",
        "numba": "0.68.1",
        "scipy": "1.17.1",
        "pandas": "3.1.1",
        "scikit-learn": "1.9.1",
    },
    "platform": {"system": "linux", "machine": "x86_64", "processor": "emeraldrapids"},
    "runs": {
        "run_1": {
            "name": "run of c-xim",
            "method": "c-xim",
            "parameters": {
                "shape": (4, 5),
                "lattice": "rectangular",
                "toroidal": False,
                "depth": 5,
                "node_file": "",
                "metric": "euclidean",
                "symmetrise": "refuse",
                "relational": "relational",
                "mapping": "shepard",
                "power": 4.0,
                "neighbours": 12,
                "softness": 0.7,
                "init": "pca",
                "n_steps": 300,
                "step": (0.45, 0.02),
                "width": (2.5, 0.4),
                "annealing": "exponential",
                "best_match": "distance",
                "algorithm": "online",
                "n_epochs": 50,
                "relaxation": 1.0,
                "first_share": 1.0,
                "block_items": 2000,
                "settling": 0,
                "tolerance": 0.001,
                "fixed_point": "damped",
                "repelled_by": "items",
                "repelling_share": 1.0,
                "anchors": (),
                "reach_from": "global",
                "reach_neighbours": (13.333333333333334, 2.0),
                "divergence": "kl",
                "order": 1.0,
                "repulsion": 0.25,
                "reach": (1.5, 0.2),
                "reach_unit": "median",
                "rule": "weighted",
            },
            "automatic": [
                "width",
                "relaxation",
                "first_share",
                "repelling_share",
                "reach_neighbours",
                "order",
            ],
            "seed": 2,
            "steps": {"done": 300, "planned": 300},
            "parent": None,
            "data": {
                "input": {
                    "source": "table.csv",
                    "choices": {},
                    "joinings": [],
                    "frozen": None,
                    "recipe": {
                        "schema": 2,
                        "steps": [
                            {
                                "step": "impute",
                                "parameters": {"how": "mean", "axis": "genes", "k": 10},
                                "on": True,
                            },
                            {
                                "step": "scale",
                                "parameters": {
                                    "axis": "features",
                                    "how": "z",
                                    "centre": True,
                                },
                                "on": True,
                            },
                        ],
                    },
                },
                "items": 40,
                "features": 6,
                "missing_values": 0,
                "fingerprint": "53b2a72344191432841dfdad7bbf974d7fae9a689ea03cdcd7cd8ba89c00f007",
            },
            "result_hash": "962e31abccee5688877addbe0d2d76ffde682cff7cfcd8928ed4c618398007e3",
            "measures": {
                "trustworthiness": 0.7822911353588968,
                "continuity": 0.850211260675759,
                "sammon": 0.20895264511217201,
                "spearman": 0.3943831142189456,
            },
            "landmarks": {
                "g0": [2.87207, 1.26127],
                "g2": [2.18793, 2.57616],
                "g3": [2.92044, 1.80125],
                "g5": [2.27323, 2.32648],
                "g7": [1.7991, 1.08652],
                "g8": [0.579151, 2.69889],
                "g10": [1.38208, 0.661058],
                "g12": [2.66169, 0.595555],
                "g14": [0.613985, 2.01231],
                "g15": [3.34616, 1.90867],
                "g17": [0.435502, 1.96419],
                "g19": [2.69968, 0.831977],
                "g20": [0.463336, 2.06896],
                "g22": [2.34146, 2.28858],
                "g24": [2.63063, 1.094],
                "g25": [0.676619, 0.980247],
                "g27": [3.52689, 0.668717],
                "g29": [1.4453, 1.8326],
                "g31": [1.95864, 0.97372],
                "g32": [0.724168, 1.64038],
                "g34": [1.15115, 0.313273],
                "g36": [3.48378, 1.09226],
                "g37": [2.37495, 1.2543],
                "g39": [3.01095, 1.07913],
            },
        },
        "run_2": {
            "name": "run of som",
            "method": "som",
            "parameters": {
                "shape": (4, 5),
                "lattice": "rectangular",
                "toroidal": False,
                "depth": 5,
                "node_file": "",
                "metric": "euclidean",
                "symmetrise": "refuse",
                "relational": "relational",
                "mapping": "shepard",
                "power": 4.0,
                "neighbours": 12,
                "softness": 0.7,
                "init": "pca",
                "n_steps": 300,
                "step": (0.45, 0.02),
                "width": (2.5, 1.5),
                "annealing": "exponential",
                "best_match": "distance",
                "algorithm": "batch",
                "n_epochs": 50,
                "relaxation": 1.0,
                "first_share": 1.0,
                "block_items": 2000,
                "settling": 0,
                "tolerance": 0.001,
                "anchors": (),
            },
            "automatic": ["width", "relaxation", "first_share"],
            "seed": 2,
            "steps": {"done": 50, "planned": 50},
            "parent": None,
            "data": {
                "input": {
                    "source": "table.csv",
                    "choices": {},
                    "joinings": [],
                    "frozen": None,
                    "recipe": {
                        "schema": 2,
                        "steps": [
                            {
                                "step": "impute",
                                "parameters": {"how": "mean", "axis": "genes", "k": 10},
                                "on": True,
                            },
                            {
                                "step": "scale",
                                "parameters": {
                                    "axis": "features",
                                    "how": "z",
                                    "centre": True,
                                },
                                "on": True,
                            },
                        ],
                    },
                },
                "items": 40,
                "features": 6,
                "missing_values": 0,
                "fingerprint": "53b2a72344191432841dfdad7bbf974d7fae9a689ea03cdcd7cd8ba89c00f007",
            },
            "result_hash": "6322e5ec81c557eb04724c45cf0e4f9402a4929dab591bf4680081b251dde19c",
            "measures": {
                "trustworthiness": 0.7217803244076877,
                "continuity": 0.8278958982135801,
                "sammon": 0.25288050319738536,
                "spearman": 0.2721620313187689,
            },
            "landmarks": {
                "g0": [3.11126, 1.31093],
                "g2": [2.03439, 2.12028],
                "g3": [3.06092, 1.70794],
                "g5": [2.34257, 1.97073],
                "g7": [2.03203, 0.707093],
                "g8": [1.06413, 2.35057],
                "g10": [1.10514, 0.530479],
                "g12": [2.96861, 1.19925],
                "g14": [0.872023, 2.27307],
                "g15": [3.17641, 1.9715],
                "g17": [0.734073, 2.26613],
                "g19": [2.80181, 0.98689],
                "g20": [0.675009, 2.54599],
                "g22": [0.988031, 1.28367],
                "g24": [3.02754, 0.859208],
                "g25": [0.823898, 1.26387],
                "g27": [3.47637, 1.25195],
                "g29": [1.50572, 1.90098],
                "g31": [2.00743, 0.482187],
                "g32": [0.85204, 1.78513],
                "g34": [0.678885, 0.322964],
                "g36": [3.35255, 1.78719],
                "g37": [2.66426, 0.853787],
                "g39": [3.36056, 1.15324],
            },
        },
        "run_3": {
            "name": "run of pca",
            "method": "pca",
            "parameters": {"metric": "euclidean"},
            "automatic": [],
            "seed": 2,
            "steps": {"done": 1, "planned": 1},
            "parent": None,
            "data": {
                "input": {
                    "source": "table.csv",
                    "choices": {},
                    "joinings": [],
                    "frozen": None,
                    "recipe": {
                        "schema": 2,
                        "steps": [
                            {
                                "step": "impute",
                                "parameters": {"how": "mean", "axis": "genes", "k": 10},
                                "on": True,
                            },
                            {
                                "step": "scale",
                                "parameters": {
                                    "axis": "features",
                                    "how": "z",
                                    "centre": True,
                                },
                                "on": True,
                            },
                        ],
                    },
                },
                "items": 40,
                "features": 6,
                "missing_values": 0,
                "fingerprint": "53b2a72344191432841dfdad7bbf974d7fae9a689ea03cdcd7cd8ba89c00f007",
            },
            "result_hash": "e5febfc0faacafba493dd431a6a9950a492d941059e448a2871b85fe9d9a0a95",
            "measures": {
                "trustworthiness": 0.8350660319724956,
                "continuity": 0.9005310929119265,
                "sammon": 0.11528760226235782,
                "spearman": 0.7406957503976073,
            },
            "landmarks": {
                "g0": [0.668847, -0.35979],
                "g2": [0.349813, 0.688999],
                "g3": [0.812289, -0.276107],
                "g5": [0.423189, 0.48864],
                "g7": [-0.470995, -0.623175],
                "g8": [-0.378843, 2.45294],
                "g10": [-1.07795, -1.9197],
                "g12": [0.525686, -0.21876],
                "g14": [-1.03793, 0.981046],
                "g15": [3.53173, 0.215331],
                "g17": [-1.00046, 0.722111],
                "g19": [1.08681, -0.522058],
                "g20": [-0.650233, 0.834024],
                "g22": [-0.378741, -0.107298],
                "g24": [0.410856, -0.357979],
                "g25": [-3.76185, -1.89081],
                "g27": [1.07146, -0.49944],
                "g29": [-0.272552, 0.40758],
                "g31": [-0.31346, -0.925386],
                "g32": [-1.40552, 0.375381],
                "g34": [-0.758713, -1.14858],
                "g36": [2.51769, -0.678365],
                "g37": [0.273297, -0.392011],
                "g39": [0.659896, -0.112127],
            },
        },
    },
}

check(EXPECTED, run_1=run_1, run_2=run_2, run_3=run_3)
