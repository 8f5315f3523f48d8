"""A bitmap font of five by seven dots for images of boards, without a font file."""

from functools import cache
from typing import Final

from evenodds.system.imports.extras import needs

with needs("environments"):
    import numpy as np
    from numpy.typing import NDArray

CELL_WIDTH_DOTS: Final = 6
CELL_HEIGHT_DOTS: Final = 9
"""The size of a character cell, with the space between letters and between lines."""

GLYPH_DATA: Final = """
    0EHJLPHE 14C4444E 2EH1248V 3V2421HE 426AIV22 5VGU11HE 668GUHHE 7V124888 8EHHEHHE 9EHHF12C
    AEHHVHHH BUHHUHHU CEHGGGHE DSIHHHIS EVGGUGGV FVGGUGGG GEHGNHHF HHHHVHHH IE44444E J72222IC
    KHIKOKIH LGGGGGGV MHRLLHHH NHHPLJHH OEHHHHHE PUHHUGGG QEHHHLID RUHHUKIH SFGGE11U TV444444
    UHHHHHHE VHHHHHA4 WHHHLLLA XHHA4AHH YHHHA444 ZV1248GV
    a00E1FHF bGGMPHHU c00EGGHE d11DJHHF e00EHVGE f698S888 g0FHHF1E hGGMPHHH i40C444E j20622IC
    kGGIKOKI lC44444E m00QLLHH n00MPHHH o00EHHHE p00UHUGG q00DJF11 r00MPGGG s00EGE1U t88S8896
    u00HHHJD v00HHHA4 w00HHLLA x00HA4AH y00HHF1E z00V248V
    !4444004 "AAA0000 #AAVAVAA $4FKE5U4 %OP248J3 &CIK8LID 'C480000 (2488842 )8422248 *04LEL40
    +044V440 ,0000C48 -000V000 .00000CC /01248G0 :0CC0CC0 ;0CC0C48 <248G842 =00V0V00 >8421248
    ?EH12404 @EH1DLLE [E88888E ]E22222E \\0G84210 ^4AH0000 _000000V `8420000 {2448442 |4444444
    }8442448 ~008L200 ·0004000 —000V000 ●0EVVVE0 ○0EHHHE0 █VVVVVVV ░LALALAL
"""
"""A character, then its seven rows from the top: base-32 digits whose bits are the dots."""
MISSING_GLYPH: Final = "VHHHHHV"
"""The rows for a character that is not in the font."""

GLYPH_ROWS: Final = {entry[0]: entry[1:] for entry in GLYPH_DATA.split()} | {" ": "0000000"}


@cache
def glyph(character: str) -> NDArray[np.bool_]:
    """The dots of a character cell, true where there is ink."""
    dots = np.zeros((CELL_HEIGHT_DOTS, CELL_WIDTH_DOTS), bool)
    for row, digit in enumerate(GLYPH_ROWS.get(character, MISSING_GLYPH), 1):
        dots[row, :5] = [int(digit, 32) >> place & 1 for place in range(4, -1, -1)]
    return dots
