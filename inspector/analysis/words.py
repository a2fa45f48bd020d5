"""The words that the sentence attributes go by: one table, in plain sight.

They were chosen for RefCOCO and RefCOCOg, as people there write: short, lower case, with slang.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("a an the this that these those his her its their my your some any")

FUNCTION = ARTICLES | _words(
    "of in on at to from with without by for and or but is are was were be been being has have "
    "had who whose which what where when while as than so not no it he she they him them you us "
    "we i his hers there here s t w that's it's behind near next beside under above below between "
    "over into onto off out up down through against across along around among amongst inside "
    "outside toward towards underneath beneath all also just only very too really"
)

PRONOUNS = _words(
    "he she it they him her them his hers its their this that these those one ones thing things "
    "himself herself itself someone something"
)

LOCATION = _words(
    "left right top bottom middle center centre central upper lower corner leftmost rightmost "
    "topmost bottommost uppermost lowermost lowest outermost centermost middlemost topright "
    "topleft bottomleft bottomright upperleft upperright lowerleft lowerright lefthand righthand "
    "leftside rightside centered lft rt"
)

DEPTH = _words(
    "front back background foreground forefront rear frontmost backmost foremost far farleft "
    "farright distance horizon backround forground oclock o'clock farthest furthest"
)

PICTURE = _words(
    "pic picture pics photo photograph image img camera cam frame screen view viewer shot page "
    "scene us you me photographer pix foto"
)

SIDES = _words("side sides corner edge end hand part half portion most")

BODY_SIDES = _words(
    "arm arms foot feet leg legs shoulder ear eye knee elbow wrist thumb thigh wing paw hoof tusk "
    "handed armed nostril breast lens shoe"
)

PARTS = _words(
    "wheel wheels leg legs door doors tire tires window windshield paw paws end half light lights "
    "headlight headlights view image quarter quarters flap tooth teeth pocket bumper"
)

AS_AN_ADVERB = _words(
    "behind next beside above below under near there here by before after now beneath underneath "
    "against outside inside"
)
"""After these, ``right`` means just: right behind him."""

WITH_A_TOP = _words("stove table lap counter desk")
"""Before these, ``top`` is a part: a stove top."""

BEFORE_A_BACK = _words("his her its their on with s who's whose laid going")
AFTER_A_BACK = _words("turned to towards toward facing is pack seat rest side showing drop")
"""With these, ``back`` is a part of a body or thing: his back, back turned."""

ORDINALS = _words(
    "first second third fourth fifth sixth seventh eighth ninth tenth last 1st 2nd 3rd 4th 5th "
    "two three four five six seven eight nine ten eleven twelve dozen both single "
    "secnd penultimate twice"
)

COLOURS = _words(
    "red blue green yellow black white brown gray grey pink purple tan beige maroon teal "
    "turquoise navy khaki violet lavender burgundy silver gold golden blond blonde brunette "
    "redhead crimson magenta cyan aqua mauve ivory colorful colourful multicolored multicolour "
    "multicolor rainbow dark darker darkest lighter lightest blk wht wh bluish reddish greenish "
    "pinkish whitish brownish yellowish grayish greyish purplish blueish orangish orangeish "
    "tannish blackish goldish dk camo cream orange yellowy bluewhite blackwhite redwhite"
)

PATTERNS = _words(
    "plaid striped stripes stripe spotted dotted checkered floral patterned polka flowered plain "
    "solid bright pale light neon dull shiny"
)

SIZES = _words(
    "big bigger biggest small smaller smallest large larger largest tall taller tallest short "
    "shorter shortest long longer longest little littler littlest tiny tiniest huge hugest giant "
    "mini miniature thin thinner thinnest thick thicker thickest fat fatter fattest wide wider "
    "widest narrow narrower skinny skinnier massive enormous chubby gigantic lil med medium "
    "heavyset petite oversized chunky slim longsleeved shortsleeved"
)

COMPARATIVES = _words(
    "bigger smaller taller shorter larger longer closer nearer farther further lighter darker "
    "older younger thinner fatter wider higher thicker brighter newer less more most least than "
    "fewer heavier skinnier narrower better worse rounder fuller cleaner littler elder straighter"
)

NOT_SUPERLATIVE = _words(
    "west chest vest rest forest guest test nest interest priest request crest headrest armrest "
    "harvest quest pest zest footrest jest invest protest contest arrest est southwest northwest "
    "lest everest"
)

NEGATIONS = _words(
    "not no none never nothing nobody noone neither nor without except excluding cannot cant dont "
    "doesnt isnt arent wont didnt wasnt hasnt havent aint couldnt shouldnt unlike lacking w/o "
    "n't excepting nowhere"
)

CLOTHES = _words(
    "shirt shirts tshirt tshirts tee pants pant jeans shorts dress dresses skirt jacket jackets "
    "coat coats sweater sweaters sweatshirt sweatshirts hoodie hoodies hoody blouse vest suit "
    "suits tie ties bowtie hat hats cap caps helmet helmets glasses sunglasses sunglass "
    "eyeglasses spectacles goggles gloves glove boots boot shoes shoe sneakers sneaker sandals "
    "socks sock heels slippers uniform uniforms jersey outfit costume robe gown veil apron scarf "
    "shawl bandana beanie beret bonnet hood hooded headband wristband armband bra bikini "
    "underwear swimsuit wetsuit swimwear overalls cardigan tux tuxedo blazer leggings tights "
    "stockings trousers trunks slacks khakis denim wearing wears worn dressed clothes clothing "
    "clad shirtless shirted sleeve sleeves sleeved sleeveless turtleneck pullover parka "
    "windbreaker poncho raincoat overcoat sweatpants capris tanktop camisole kimono sari turban "
    "necklace earrings earring bracelet mask belt suspenders fleece corset visor headscarf tiara "
    "crown sombrero fedora toboggan bathrobe pajamas pjs jumper jumpsuit tutu watch wristwatch "
    "headdress snowsuit attire garb kerchief barefoot"
)

PERSONS = _words(
    "man men woman women guy guys girl girls boy boys lady ladies person persons people kid kids "
    "child children baby babies dude dudes male males female females player players batter "
    "catcher umpire ump pitcher skier skiier skiers surfer snowboarder skateboarder skater "
    "boarder rider biker cyclist bicyclist motorcyclist driver passenger cop policeman police "
    "officer soldier chef cook waiter waitress server bride groom mom mother mommy dad father "
    "daddy grandma grandpa granny son daughter brother sister friend friends adult adults toddler "
    "infant teen teenager gentleman gentlemen fellow fella lad chick gal bro mr mrs ms dr kiddo "
    "human humans someone somebody spectator spectators audience crowd fan fans worker workers "
    "referee ref coach hitter runner baseman outfielder fielder goalie defender student teacher "
    "doctor nurse farmer cowboy jockey vendor customer shopper pedestrian tourist performer "
    "singer musician president senator sailor fireman firefighter clown santa photographer "
    "cameraman owner golfer swimmer dancer boxer bystander onlooker onlookers couple gamer idiot "
    "winner loser nerd hipster hottie bitch whore grandmother grandfather husband wife twin twins "
    "individual family reporter speaker bartender baker butcher mailman monk priest nun king "
    "queen prince princess wanker businessman businesswoman caucasian asshole operator trainer "
    "handler attendant cashier judge opponent teammate teammates companion mans womans womens "
    "mens ladys"
)

ANYBODY = _words(
    "man men woman women guy guys girl girls boy boys lady ladies person persons people kid kids "
    "child children dude dudes male males female females gentleman fellow fella lad chick gal bro "
    "human humans someone somebody adult adults"
)
"""Words that fit many persons of a picture; the others name a role."""

ANIMALS = _words(
    "elephant elephants sheep lamb lambs bear bears cow cows calf horse horses pony zebra zebras "
    "giraffe giraffes dog dogs puppy cat cats kitten bird birds goat goats duck animal animals "
    "bull goose chick deer pig monkey"
)

KINDS = ANIMALS | _words(
    "bicycle bike bikes car cars motorcycle motorcycles motorbike cycle airplane plane planes jet "
    "aircraft bus buses train trains engine truck trucks van boat boats ship ferry canoe traffic "
    "signal hydrant sign meter bench benches backpack umbrella umbrellas handbag purse bag bags "
    "tie suitcase suitcases luggage frisbee skis ski snowboard ball kite kites bat glove mitt "
    "skateboard surfboard surfboards racket racquet bottle bottles glass cup cups mug fork knife "
    "spoon bowl bowls banana bananas apple apples sandwich sandwiches sub orange oranges broccoli "
    "carrot carrots hotdog hotdogs pizza pizzas donut donuts doughnut doughnuts cake cakes "
    "cupcake chair chairs couch couches sofa loveseat recliner armchair stool seat plant plants "
    "tree flower flowers bed beds table tables desk counter toilet toilets urinal sink tv tvs "
    "television monitor monitors screen laptop laptops computer computers mouse remote remotes "
    "keyboard keyboards phone phones cellphone microwave oven stove toaster refrigerator fridge "
    "freezer book books clock clocks vase vases scissors teddy teddybear dryer toothbrush "
    "toothbrushes food meat bread rice salad soup sauce dip coffee tea juice milk wine beer water "
    "drink plate plates dish dishes tray pan pot basket box container jar pitcher hand hands arm "
    "arms head face finger fingers leg legs foot feet hair fries fruit fruits vegetable "
    "vegetables veggies cheese muffin pastry cookie burger bun egg eggs mustard ketchup tongs "
    "utensil utensils napkin towel pillow pillows blanket cushion curtain door window wall fence "
    "pole shelf cabinet drawer lamp light camera cart scooter moped tractor cab taxi vehicle "
    "vehicles suv trailer wagon toy doll bunny cone barrel bucket trunk planter candle candles "
    "ottoman controller bookcase dresser tomato potato onion pepper pickle lettuce strawberry "
    "strawberries cream ice"
)

KIND_PARTS = _words(
    "baseball tennis soccer hot dog wine fire stop parking cell remote control potted dining hair "
    "cutting teddy ice fruit police"
)
"""First halves of kinds of two words: fire hydrant, tennis player."""

INTRANSITIVE = _words(
    "wearing standing sitting laying lying walking running leaning bending kneeling crouching "
    "squatting jumping skiing skating surfing swimming sleeping smiling laughing talking playing "
    "being having going trying getting doing looking seeing showing turning morning evening "
    "living dining parking cutting reading during thing something nothing everything anything "
    "king ring wing string building ceiling clothing bathing frosting icing topping pudding "
    "stuffing wedding railing awning painting drawing sling spring posing performing balding "
    "sporting missing preceding"
)
"""Words in -ing that say nothing about another thing by themselves."""

TRANSITIVE = _words(
    "holding holds hold riding rides ridden carrying carries pulling pushing touching eating eats "
    "drinking feeding petting hugging kissing watching throwing hitting swinging pouring cutting "
    "reading using driving grabbing chasing licking biting kicking flying catching serving "
    "cooking making preparing brushing washing cleaning rubbing scrubbing opening working grazing "
    "sniffing facing faces overlooking blocking covering touched carried held containing contains "
    "operating typing texting shearing herding milking walking"
)

MARKINGS = _words(
    "pattern patterns design designs number numbers logo writing written stripe stripes print "
    "printed picture words word letters letter text label sticker spots spot marking markings "
    "dots dot flowers lines line name sprinkles icing frosting lights"
)
"""What is on a thing as part of it: a shirt with a number on it is no relation."""

PREPOSITIONS = _words(
    "behind beside besides near under underneath below beneath above over between among amongst "
    "against across inside within outside along alongside around onto into toward towards amid "
    "nearby beyond past atop infront ontop"
)
