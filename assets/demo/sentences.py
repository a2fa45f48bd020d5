"""The expressions, written by hand as different people would write them, typing slips included."""

# (target, sentences): one row is one referent, described by two or three people.
REFERENTS: list[tuple[str, list[str]]] = [
    ("coins-6", ["coin at the top right", "top right coin with the standing figure"]),
    ("coins-18", ["the biggest coin", "large coin on the right side, third row"]),
    ("coins-16", ["the coin where the face looks at us", "3rd row 4th from left"]),
    ("smarties-1", ["top blue", "the blue candy in the upper right corner"]),
    ("smarties-5", ["the red smartie on the right", "red between orange and blue"]),
    ("smarties-8", ["red one touching the brown one", "second red from the left"]),
    ("smarties-3", ["green on the right edge", "green candy at the right, cut off a bit"]),
    ("fruits-1", ["orange slice in the middle", "the cut orange"]),
    ("fruits-2", ["the whole orange in the back", "uncut orange top left"]),
    ("fruits-6", ["lime", "the green fruit on the right"]),
    ("fruits-7", ["half a lemon bottom right", "yellow lemmon"]),
    ("coffee-1", ["the cup", "white and red cup full of coffee"]),
    ("coffee-2", ["red plate under the cup", "saucer"]),
    ("coffee-3", ["silver spoon on the right", "spoon"]),
    ("astronaut-1", ["woman in orange", "the smiling astronaut", "lady in the space suit"]),
    ("astronaut-2", ["black helmet on the bottom right", "the helmut she is holding"]),
    ("astronaut-3", ["flag on the left", "american flag"]),
    ("chelsea-2", ["left eye", "the cats eye on the left"]),
    ("chelsea-3", ["right eye", "the green eye to the right"]),
    ("squirrel-1", ["squirrel", "brown squirrel sitting on the branch"]),
    ("squirrel-2", ["gray branch", "the tree trunk on the right"]),
    ("flower-1", ["the big flower", "orange flower in the center"]),
    ("flower-2", ["flower at the bottom", "the flower that is half cut off"]),
    ("flower-4", ["blue green leaf on the left", "big leaf on the left"]),
    ("china-1", ["the pagoda", "red building on the left"]),
    ("palace-2", ["tower on the right", "biggest tower", "gray tower top right"]),
    ("palace-3", ["middle tower", "the little tower in the middle of the roof"]),
    ("rocket-1", ["the rocket", "white rocket in the middle"]),
    ("desk-5", ["pink lighter", "the lighter at the bottom"]),
    ("desk-4", ["the small coin"]),
]

# (picture, sentence): nothing in the picture is meant.
NO_TARGET: list[tuple[str, str]] = [
    ("smarties", "the purple candy"),
    ("coins", "the shiny red coin"),
    ("flower", "the dog on the chair"),
]
