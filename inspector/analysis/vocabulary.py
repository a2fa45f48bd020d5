"""Common words beside the tables of ``words``: what is in here is never taken for a typo."""

from __future__ import annotations

from inspector.analysis import words

_COMMON = """
able about above across actually add adult aeroplane after again against age ago ahead air airways
aisle all almost alone along already also although always am amid among amount ancient angel angle
another answer antique any anything apart appear appears apple appliance appliances arch area
aren't around arrow art asian ask asleep atop attach attached attention audi audio average aware
away awesome awning back backdrop backpack backpacks backside backward backwards bacon badge bagel
bags bake baked baking balcony bald balding ballpark band bandanna bank bar barbecue bare barely
bark barley barn barrier bars base baseball basin basket basketball batch bath bathrobe bathroom
bathtub batting battling beach beads beagle beak beam bean beanbag beans beard bearded beat beater
beautiful became because become bedding bedroom bedspread beef been beer before behind being bell
belly below bend bending bends bent bento benz berries best better bidet big bikes binding bird
bite biting bits bitten blackberry blackbird blade bladed blanc blank blender blinds block blocked
blocking blood blossom blow blowing blueberries blueberry blur blurred blurry bmw board boarding
boards boat boats body bolt bonding boob boobies boobs book booklet books booth border bored born
both bottles bottoms boulder bounce bowing box boxes boxing brace bracelet braid branch branches
brand brass bread breakfast breast brick bricks bridge bridle brief briefcase bright bring broken
broth brow brownie bruce bruise bruises brush brushing bubble bucket buckle bud budweiser buffet
build building buildings bullpen bumper bumps bunch bunk bunt burn burners burnt burrito bush
bushes business bust busy butt butter button buttons buy cabbage cabin cabinet cabinets cable cafe
cage caged call calling calm calve calves camel camp can candle candy cane canes canopy canvas cap
capri car card cardboard cardinal care carnation carp carpet carriage carry carrying carton
cartoon carts carved case casserole cast castle catch catchers catching caught cauliflower causing
caution celery cement center cereal certain chain chained chalk chandelier change chaps charcoal
charge charger charges charging chasing check cheek cheered cheese cherry chest chevy chew chic
chicken chili chin china chinese chips choc chocolate choose chop chopped chopping chopstick
chopsticks christmas chrome chunk church chute cigarette cinnamon circle circular city clap
clasped claw clay clean clear clearly cleat cleats clicked clipped clog clogs close closed closer
closet closeup cloth clothed clouds cluster coaster coca cock coco coconut coil coin coke cola
cold collage collar collared colleague collie cologne color colored colors colour coloured colours
colt column columns comb come comes comfort comforter comic coming comp completely compute
concrete condiment condiments container contents contrast control controls converse conversing
cook cooked cookies cooking cool cooler cord corgi corn corner correct cot cote cotton could count
counter counting country court cover covered covering covers cowboys crane crap crate crazy cream
create creature crib crook cross crossed crossing crouch crouched crouching crowd cruise crust
cube cucumber cup cupcakes cups curb curious curl curled curly curtain curtained curtains curve
curved cut cute cutter cutting dagger dairy damaged damages dark darts dash dashboard day daylight
dead deck decker decorated decorations decorative deep deli deliver dell den denim dense dented
desert design desktop dessert devil diagonal diagonally dial diamond diaper diary dice different
digital diner dining dinner dinosaur dip dipping direct direction directly dirt dirty disc disk
display distant dive divided divider dock dodging does dog doge doing dolls dolphin dome done door
doors dork dot dots double dough down dragging drape drapes draping drawer drawers drawing drawn
dressing drink drinking drinks dripping drive driver driving drop drum dry ducks duel duffel
duffle dug dugout dull dumb dump during dust duvet each eagle ear earbuds early earphones ears
easel easy eat eaten eating eats eclair edge edges eight either elbow elderly electric electronic
elegant else emblem embroidered emergency empty end ends engine engraved enjoy enough entire
entrance entry equipment even event ever every everyone exactly excavator except executing
exercise exhibit exit expression extended extra eye eyebrows eyes fabric face faces facial facing
fact faded fail fake fallen falling fancy far farm farther fast faucet feather feathers feature
feed feeding feel feet feline fell felt fence fencing ferris festive feta field fifth fifty fight
figure figurine file fill filled filling fine finger fingernails fingers finish fire fireplace
firm fish fist fit five fix flag flags flame flannel flaps flat flatbed fleet flight flip float
floating flock floor floors flour flowed flower flowers flowing fluffy fluid fly flying foal foam
focal focus foil fold folded folding follow food foods football for ford forearm foreground
forehead foremost forest fork form formal forward found fountain four foyer frame framed free
freight french fresh fried friend fries from front frost frosted frosting frown fruit fruits
frying fuchsia fudge full fully funky funny fur furniture furry further fuzzy game games garage
garbage garden garland garlic garnish gate gather gazed gazelle gazes gear gears geese gelato get
gets getting ghost ginger give given giving glare glass glaze glazed globe glossy glowing go goal
goes going golf gondola gone good goof got grab grabbing grain granite grape grapefruit grapes
graphic grasping grass grassland grassy grate grave gravel gravy graze grazing grease greek
greenery greens greeting grill grille grin grinning grip ground group grow grown guard guitar gym
had hair haired half hall hallway ham hammer hammock hand handbag handicap handle handlebars
handled handles hands hang hanging hangs happy harbor hard hardwood harley harness harp has hatch
hate haul having hawk he head headboard headed heading headlight headlights headphones heads
headset heap heard heart heavy hedge heineken heinz held helicopter help helping hen herbs herd
hero hidden hide hiding high highest hike hiking hill hind hint hip hips hit hits hitting hold
holder holding hole home honda hood hoof hook hoop hooves horn horns hospital hot hotdogs hotel
house houses how hug hugging hummus hump hung hungry hunting husky hut hydrants ice iced icing
ideal igloo image imprint inbetween inch incoming individual infield information inner inside
instrument intense interacting intersection into ipad iphone ipod iron island isolated item items
ivy jam japanese jaw jean jelly jewelry joan job jog jogging john join joke juice juicer jump
jumping jungle just keeling keep keeping keg kennel kept ketchup kettle key keypad keys kick
kicking kid kind kinda kiss kissing kitchen kiwi kneel kneeling knees knit knot know known knows
label labeled lace ladle lagging laid lake lamp lamppost land landing lane lantern lapel laps
laptop lard large lash last late lattice laugh laughing laundry lavender lawn lay layer layered
layers laying lays lead leaf leah lean leaned leaning leans learned leash leasing least leather
leaves ledge left leg lemon lemons lens leopard less let letter lettering letters level lever
levitate levitating licence license lick lid lie lies life lifeguard lift lifting light lighted
lighter lighting lights like lime limo line lined liner lines link linus lion lip lips liquid
liquor list listening lit live livestock living lizard load loading loaf lobster locate located
lock locomotive lodge log logo logs lollipop lone long look looked looking looks loop loose lost
lot lotion lots lounge lounging love low lower luggage lunch lunge lying macaron macaroni macbook
machine machinery made magazine magazines magnets main make makes makeup making mane manual many
map marble mark marked marker market markings mascot mast mat match matching matter mattress may
maybe mayo mayonnaise maze meadow meal mean meant meatball meatloaf medal medicine meeting melon
melted menu mercedes metal mice microphone mid midair middle might mike milk milne mine minivan
mint mirror mirrors missing mitten mittens mix mixed mixer mixing mobile modern mole moment momma
money monitor moose mop more mosaic moss most mostly motel moth motion moto motor motorized mound
mount mountain mountains mountaintop mounted mousepad moustache mouth move moving mozzarella mud
muddy mural muscles museum mushroom mushrooms music must mustache muzzle nail nails naked name nap
napkin napkins nearby nearer nearest nearly neat neck need needs neon nest net new news newspaper
newspapers next nice night nike nintendo nipple no noodle noodles noon normal nose not note
notebook now nozzle number numbers numeral nurse nursing nuts oar oars oatmeal obscured ocean odd
off office officers old older oldest olive olives omelet onion onions only onto opaque open opened
opening opens opposite options or orchid order ornate other others otter outdoor outer outermost
outfield outfits outlet outline outside outstretched oval ovens over overall overhead owl own
owner oxen pack package packet pad padded padding paddle page pages paid pail paint painted
painting pair paisley pajama palm pancake panda pane panel paper papers parade parasol parent
parents parfait park parked parking parrot parsley parson part partial partially particular parts
party pass passengers passing past pasta paste pastel pastries pastry pasture patch pate path
patio patterned pavement paw pay peace peach peaking peanut pear peas pecking pedestal peek
peeking peel peeled peg pen pencil pens pepperoni pepsi perched perching performing perhaps pet
petals petted petting photographed photos piano pick picking pickles pickup picnic picture
pictured pictures pie piece pieces pier pigeon pile piled piles pillar pillars pillow pillowcase
pin pineapple pinned pinot pinstripe pint pipe pistachio pit pita pitch pitching place placed
places plain plan plane plank plant planted plaque plaster plastic plate platform platter platters
play playa played playing plays playstation please pleated plot plow plug plugs plus plush pocket
pocketbook pod pods point pointed pointing points poke poking polar polo pond pony ponytail poodle
pool poop porcelain porch pork porridge port portion portrait pose posed posing position possibly
post postcard poster posts posture pots potted pottery pour pouring pouting powder powdered power
prepare preparing present pretending pretty primary printed printer printing probably produce
product professional profile prominent prop propeller props protective pub public pucks puff puffy
pug pull pulled pulling pumpkin punch pup puppet pure purse pushed pushing put puts putting
quarter quilt quilted rack radio radish raft rag rail railing railings railroad rails rain raise
raised raisin raising raisins rake ramp ramps ranch range ranger raspberry rat ravioli raw ray
rays reach reaching read reading ready real really rear receding receive recline recliners
reclining rectangle rectangles rectangular reef reflected reflection reins related relaxing remain
remote removed resort restaurant rested resting return rhino ribbon ribs rick ride rides ridges
riding right rim rims rind ring rip ripe ripped rise rite river road robin robot rock rocks rod
rofl roger roll rolled rollers rolling rolls roof room rooster root rope rose rotten rotting round
rounded rover row rows rub rubber rubbing ruffle ruffled ruffles rug ruler rump run running runs
rural rust rusty sack saddle saddlebag safe safety said sail sailboat salami sale saliva salmon
salt same sample samsung sand sandal sandy sash saucepan saucer sauces sausage sausages save say
saying says scale scares scarves scary scene scenic school science scissor scoop scooters
scratched scratching screens scrubs sculpture sculptures sea seafood seagull seal seam seams
search season seasoned seat seated seating seats seaweed section sedan see seeds seeking seem seen
segment selection self selling separate serious serve served service serving set setting sewing
shack shade shadow shaggy shake shaker shape shaped share shark sharp shave shaved shawls she
shears shed sheet sheets shelf shell shelves shin shine shiny shirts shit shocked shop shopping
shore shorn short shot should shoulder shoulders shout show shower showing shown shows shredded
shrimp shrub shrubs shut shutter shutters shuttle side sided sides sidewalk sideways sight sign
signs silhouette silk silky silo silverware similar simple since single sip sit site sits sitting
situated size sized skate sketch skewer ski skies skillet skin skirts skull sky skyscraper slab
slanted slats slaw sled sleek sleep sleeping sleigh slender slice sliced slices slicing slick
slicker slide sliding slight slightly slim slit sliver slope slot slouching slut smack smartphone
smeared smile smiling smirking smock smoke smoking smooth snack snacks snap sneak sneaking snout
snow snowboarding snowy soak soaked soap soccer socket soda sofas soft soil sold sole some song
sony soon sort sound space spaces spaghetti spaniel spare sparkling spatula speaker speakers
speaking special spectator speedboat spice spices spike spikes spikey spiky spill spin spinach
spine spiral spitting splash split spoil spoke spoons sport sports spot spotlight spots spray
spread spreading spring sprinkle sprinkled sprinkles sprout sprouts square squash squat squid
squirrel stab stack stacked stadium staff stag stage stain stained stainless stair stairs stalk
stall stallion stance stand standing stands staple staples star starbucks starch stare stares
staring start starting starving stating station statue statues stay steak steal steam steel steep
steer steering stem step steps stereo stew stick sticking sticks still stir stirring stitched
stomach stone stones stood stool stoop stooped stop stopped storage store storefront stories stork
storm story stout stovetop straight strand strange strap straps straw strawberries stray streak
streaks street stretch stretched stretching strides string strings strip stripe striped stripes
stripped stroller stub stuck studded studio stuff stuffed style styrofoam submarine subway such
sugar suitcases suite summer sun sundae sunlight sunny sunset support sure surf surface surfers
surfing surround surrounded surrounding sushi swan swans swap sweat sweating sweet sweetie swell
swim swimming swing swinging switch swivel symbol syrup tabby tablecloth tabletop tack tackled
taco tacos tag tail tailed taillight tails take taken takes taking talk talking tall tangerine
tangled tank tap tape tar tarmac tarp tart taste tattoo tattoos team teenage teeth telephone tell
temple ten tent terminal terrace terrier text texting texture textured than thank thanks that
theater their them themselves then these they thin thing thingie things think third thong thorn
though thought thread threw throne through throw throwing thrown thumbs ticket tidy tiered tiger
tight tile tiles tilt tilted tilts time timer times tin tinted tip tips tire tired tires tissue
title toad toast toasted toaster today toe toes tofu together toilet toiletries tomatoes ton
tongue too took tool tools tooth top topped topping toppings tops torch torn torso tortilla
toshiba toss tote toucan touch touching tour toward towed towel towels tower towing town toys
track tracks trail trailing train traincar training tram transit transparent transport
transportation trash traveler traveling travelling tray treat trees trench triangle triangular
tribal trick tricks tricycle trim trip tripod trolley trombone trot trough trouser truck true
truffle try trying tub tube tuck tucking tug tulip tulips tuna turf turkey turn turned turning
turns turtle tusk tusks tuxedos twain twig twine twins twist twisted type typing tyre ukulele
uncooked uncut under underside unit unripe unseen until untouched up upper upright upside urn use
used using vacant vacuum valley valve vanilla vanity various vegetarian veggie veggies vehicles
veil velcro velvet vending vent version vertical vertically very via video view viewed viewer
views village vine vinegar vines vineyard vintage visible visor volleyball vw wading wafer waffle
wagging wagon waist wait waiting wake walk walked walking walks wall wallet walls walnut want ware
warm warring was wash washing watches watching water waterfront watermelon wave waves waving wax
way weapon wear wears weather weave webbed webcam wedding wedge wedgie weed week weight weird well
wet whale wharf what wheat wheel wheelchair wheels when whip whipped whisk whisker whiskers whit
whole whose why wick wicker wicket wide widest wiener wiggle wii wild wildebeest will willow wily
wind window windows windshield windshields wine wing wings wink winter wipe wipers wiping wire
wires wispy wit with within without wok wonderful wood wooden woods wool woolly word words work
working works world worm worried would wound woven wrap wrapped wrapper wrench wrinkled write
writing written wrong xbox yacht yard yarn yawn yawning year yes yet yoghurt yogurt yoke yolk you
young younger youngest your zebra zip zipped zipper zippered zoo zoom zucchini
"""

VOCABULARY = frozenset(_COMMON.split()).union(
    *(table for name, table in vars(words).items() if name.isupper())
)
