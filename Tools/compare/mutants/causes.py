"""The causes of expected differences: every difference that a campaign finds has one of these causes, or is a bug.

A cause is as specific as the facts allow, so that a new bug isn't mistaken for an old difference.
"""
import re

from .findings import DIFFERS, WE_REFUSE, WE_RUN


class Cause:
    def __init__(self, name, text, applies):
        self.name, self.text, self.applies = name, text, applies


def differs(*operators, fact=None, matches=None, steps=None, numerics=None):
    """Results of these operators (any if there are none) differ, with this fact and text, by at most this number of steps."""
    def applies(finding):
        return (finding.kind == DIFFERS and (not operators or finding.operator in operators) and (fact is None or fact in finding.facts)
                and (matches is None or re.search(matches, finding.text)) and (steps is None or (finding.steps or 0) <= steps)
                and (numerics is None or finding.numerics == numerics))
    return applies


def refused(pattern, *operators, fact=None):
    """Swiftlet rejects what the reference runs, with this text."""
    def applies(finding):
        return (finding.kind == WE_REFUSE and (not operators or finding.operator in operators) and (fact is None or fact in finding.facts)
                and re.search(pattern, finding.text) is not None)
    return applies


def accepted(pattern, *operators):
    """Swiftlet runs what the reference rejects, with this text of the reference."""
    def applies(finding):
        return finding.kind == WE_RUN and (not operators or finding.operator in operators) and re.search(pattern, finding.text) is not None
    return applies


def either(*rules):
    return lambda finding: any(rule(finding) for rule in rules)


# Swiftlet's messages about incompatible sizes.
SIZES = (r'must have the shape|has another shape|cannot multiply|cannot broadcast|does not broadcast|do not fit|does not fit|inconsistent|cannot give|cannot produce|cannot read input|'
         r'cannot cut|cannot share|leave input|leaves nothing|one shape|differs from input|do not contain vectors|must contain one number per axis|must be one for each|'
         r'has paddings for|has windows of|as long as that of|which is not that long|not a multiple|no multiple|cannot take|has the rank|must have the rank|'
         r'one element for each axis|with the same channels|must be vectors|elements in the last dimension|the options say|steps along axis|must hold|must contain|'
         r'hold no|collapsed axes|its axes do not|have sizes|a multiple of|are not .* pieces|takes a state|must be .* long|must be one, or one for each|'
         r'which has another shape|the condition|must be from|scales for blocks')
ALL = (
    Cause('dynamic dimension', 'The file declares a dynamic dimension with the size 1. Neither that size nor the size at run time fits the model, and the '
          'reference doesn\'t check it.', refused('', fact='open dimension')),
    Cause('inconsistent sizes', 'The reference doesn\'t check sizes, and accesses memory outside its tensors or leaves elements unset. Swiftlet rejects the '
          'model.', either(
        refused(SIZES), differs('aeq.hadamard_rotation', matches=r'shape|equals none'))),
    Cause('declared shape of a variable', 'Swiftlet reads a variable with the shape that the file declares for the result. The reference uses the shape of '
          'the assigned value.',
          refused('reads the variable')),
    Cause('window larger than the image', 'The reference returns an empty tensor. Swiftlet rejects the model.', refused('window of .*larger than the input|must be positive and fit')),
    Cause('unsupported types', 'The reference doesn\'t check types, and interprets the bytes as another type. Swiftlet rejects the model.', either(
        refused('operator is not supported|does not support|combines numbers of type|which has another type|has no quantization parameters|takes weights with zero points'),
        differs(fact='plain short integers'), differs('LSH_PROJECTION', matches='type int32, expected'))),
    Cause('invalid parameters', 'The reference doesn\'t check for positions out of range, repeated axes, scales of zero, or empty windows. Swiftlet rejects '
          'the model.', refused(
        'not a permutation|single step outside|outside of|has combiner|not a positive number|more than one ellipsis|must be vectors of one length|cannot filter|must be positive|'
        'the range must not be empty|two positive numbers|takes shuffled weights|scale × beta is above|without empty dimensions|only the batch may be empty|outside the limits|must be from|takes an input')),
    Cause('stricter reference', 'The reference checks a size, type, or scale that doesn\'t affect the result, or doesn\'t support a type. Swiftlet computes '
          'the result that the definition requires.', accepted(
        r'computed_input|unused_out|narrow_range|scale->size|output_shape_vector|HaveSameShapes|NumDimensions|params.scale|zero_point|index_out_type|Pad value|'
        r'Output type is|data_type ==|type ==|type !=|type is not|Unresolved|unresolved custom op|not currently supported|is not supported|Unsupported|SizeOfDimension|'
        r'was not true|!=|only supports|invoke')),
    Cause('reference crashes', 'The reference crashes its process (SIGFPE, SIGSEGV, a failed assertion) or takes too long.', accepted('the process ended|took longer')),
    Cause('empty result', 'LiteRT\'s Python API can\'t read an empty tensor whose size is known only at run time.', accepted('Invalid tensor size')),
    Cause('undeclared bias type', 'An int16 operator has an int32 bias that its options don\'t declare. The reference reads the bias as int64, past its end.',
          differs(fact='undeclared bias type')),
    Cause('small quotients', 'In the reference, DIV of quantized tensors shifts a quotient of zero or almost zero by more than 31 bits, which is undefined '
          'in C++. The result is one step or any number. Swiftlet returns the nearest quantized value.', differs('DIV', fact='small quotients')),
    Cause('overflow', 'An overflow is infinite in Swiftlet and in XNNPACK. The reference clamps results to the largest finite number, which is its range '
          'for no activation.',
          either(differs(fact='largest number'), differs(fact='infinite'))),
    Cause('denormals', 'Fast numerics, XNNPACK, and run-time quantization lose bits of numbers below 2⁻¹²⁶, which are the entire result in these cases.',
          differs(fact='denormal numbers', matches=r'off by (\d\.?\d*e-(2[0-9]|3\d|4\d)|[\d.]+(e[+-]?\d+)?;)')),
    Cause('equal scores', 'The reference selects boxes with equal scores in heap order. Swiftlet selects the first one first.', differs(fact='equal scores')),
    Cause('box selected twice', 'The reference selects boxes with zero area repeatedly instead of the next box.', either(
        differs(fact='box selected twice'), differs(fact='boxes without area'))),
    Cause('unsorted keys', 'HASHTABLE_LOOKUP uses binary search, which finds any key or none if the keys aren\'t sorted.', differs(fact='unsorted keys')),
    Cause('LSTM without activation', 'Without an activation, the reference multiplies the output gate by uninitialized scratch memory.', differs(fact='no activation')),
    Cause('offset beyond the end', 'In STRIDED_SLICE with offsets, the reference doesn\'t clamp the end, reads past it, and mixes up axes that an ellipsis '
          'adds.', differs(
        'STRIDED_SLICE', fact='offset')),
    Cause('shuffled weights', 'The reference computes only batches of 1 and 4. It doesn\'t write the output of other batches.', differs('FULLY_CONNECTED', fact='shuffled weights')),
    Cause('running sum', 'LiteRT\'s default kernel keeps a running sum of squares, which loses small numbers next to large ones. The reference kernel omits '
          'a neighbor.',
          differs('LOCAL_RESPONSE_NORMALIZATION')),
    Cause('rounding of quantized activations', 'When fast numerics quantize activations, they round half to even, as XNNPACK does. In these cases, XNNPACK '
          'didn\'t run the node.',
          differs('FULLY_CONNECTED', numerics='fast', matches='equals (builtin_ref|none)')),
    Cause('rounding to float16', 'The reference rounds every step of GELU to float16. Swiftlet rounds only the result.', differs('GELU', fact='float16')),
    Cause('GELU approximation', 'For negative arguments, the kernel of fast numerics is accurate to 7.5e-7, regardless of the largest result.',
          differs('GELU', numerics='fast', matches=r'off by [\d.]+e-0[789];')),
    Cause('underflow', 'Fast numerics return a number below 1e-20, and the reference returns zero.', differs(matches=r'off by [\d.]+e-(2\d|3\d);', numerics='fast')),
    Cause('time-major RNN', 'If time is the first dimension, the steps of the reference\'s bidirectional RNN with quantized weights are unrelated to the '
          'steps of its own float32 form.', differs('BIDIRECTIONAL_SEQUENCE_RNN', fact='time first')),
    Cause('activation with blockwise weights', 'The reference runtime omits the activation of a fully connected layer with blockwise weights. XNNPACK and '
          'Swiftlet apply it.',
          differs('FULLY_CONNECTED', fact='activation behind blocks')),
    Cause('diagonals of unsupported types', 'The reference\'s MATRIX_DIAG and MATRIX_SET_DIAG accept unsupported types and don\'t write the output.',
          differs('MATRIX_DIAG', 'MATRIX_SET_DIAG', fact='other type')),
    Cause('transform of length 1', 'In RFFT2D with one column, the reference uses the row for the column\'s transform.', differs('RFFT2D', fact='transform of length 1')),
    Cause('scalar strings', 'The reference slices and combines scalar strings as raw bytes of memory.', differs('STRIDED_SLICE', 'SKIP_GRAM', fact='strings')),
)


def cause_of(finding):
    return next((cause for cause in ALL if cause.applies(finding)), None)
