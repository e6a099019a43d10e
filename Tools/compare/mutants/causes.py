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
SIZES = (r'must have the shape|has another shape|cannot multiply|cannot broadcast|does not broadcast|do not fit|does not fit|cannot give|cannot read input|'
         r'cannot cut|cannot share|leave input|leaves nothing|one shape|differs from input|hold no vectors|must hold one number for each axis|must be one for each|'
         r'has paddings for|has windows of|as long as that of|which is not that long|not a multiple|no multiple|cannot take|has the rank|must have the rank|'
         r'one element for each axis|with the same channels|must be vectors|elements in the last dimension|the options say|steps along axis|must hold|'
         r'hold no|collapsed axes|its axes do not|have sizes|a multiple of|are not .* pieces|takes a state|must be .* long|must be one, or one for each|'
         r'which has another shape|the condition|must be from|scales for blocks')
ALL = (
    Cause('open dimension', 'The file leaves a dimension open and states 1 for it; neither that nor the size in the run fits the model, and the reference does not '
          'check it.', refused('', fact='open dimension')),
    Cause('sizes that do not belong together', 'The reference does not check them and reads or leaves what lies next to its tensors; we refuse the model.', either(
        refused(SIZES), differs('aeq.hadamard_rotation', matches=r'shape|equals none'))),
    Cause('stated shape of a variable', 'We read a variable in the shape that the file states for the result; the reference takes that of what was assigned.',
          refused('reads the variable')),
    Cause('window larger than the image', 'The reference gives a tensor without elements; we refuse the model.', refused('window of .*larger than the input|must be positive and fit')),
    Cause('types that the operator does not have', 'The reference does not check them and takes the bytes for another type; we refuse the model.', either(
        refused('operator is not supported|combines numbers of type|which has another type|has no quantization parameters|takes weights with zero points'),
        differs(fact='plain short integers'), differs('LSH_PROJECTION', matches='type int32, expected'))),
    Cause('parameters without meaning', 'Positions outside, repeated axes, scales of zero, windows of nothing: the reference does not check them; we refuse the model.', refused(
        'no permutation|single step outside|outside of|has combiner|not a positive number|more than one ellipsis|must be vectors of one length|cannot filter|must be positive|'
        'the range must not be empty|two positive numbers|takes shuffled weights|scale × beta is above|without empty dimensions|outside the limits|must be from|takes an input')),
    Cause('stricter reference', 'The reference checks a size, type or scale that it does not need for the result, or lacks a type; we compute what the definition says.', accepted(
        r'computed_input|unused_out|narrow_range|scale->size|output_shape_vector|HaveSameShapes|NumDimensions|params.scale|zero_point|index_out_type|Pad value|'
        r'Output type is|data_type ==|type ==|type !=|type is not|Unresolved|unresolved custom op|not currently supported|is not supported|Unsupported|SizeOfDimension|'
        r'was not true|!=|only supports|invoke')),
    Cause('reference ends', 'The reference ends its process (SIGFPE, SIGSEGV, a failed assertion) or takes too long.', accepted('the process ended|took longer')),
    Cause('result without elements', 'LiteRT\'s Python interface cannot read a tensor without elements whose size only the run knows.', accepted('Invalid tensor size')),
    Cause('undeclared bias type', 'A product of int16 with an int32 bias that the options do not announce: the reference reads it as int64, beyond its end.',
          differs(fact='undeclared bias type')),
    Cause('small quotients', 'DIV of quantized tensors shifts a quotient that is zero or nearly so by more than 31 bits, which C++ leaves undefined: here it becomes one step or '
          'any number. Ours is the nearest code.', differs('DIV', fact='small quotients')),
    Cause('largest number', 'An overflow is infinite here and in XNNPACK. The reference limits results to the largest finite number, as the range of no activation.',
          either(differs(fact='largest number'), differs(fact='infinite'))),
    Cause('denormals', 'Fast numerics, XNNPACK and quantization in the run lose bits of numbers below 2⁻¹²⁶, which are then the whole result.',
          differs(fact='denormal numbers', matches=r'off by (\d\.?\d*e-(2[0-9]|3\d|4\d)|[\d.]+(e[+-]?\d+)?;)')),
    Cause('equal scores', 'Of boxes with equal scores the reference takes them in the order of a heap; we take the first one first.', differs(fact='equal scores')),
    Cause('box selected twice', 'The reference selects boxes without area again and again, where another one is next.', either(
        differs(fact='box selected twice'), differs(fact='boxes without area'))),
    Cause('unsorted keys', 'HASHTABLE_LOOKUP searches by halves, which finds one or another key, or none, of those that are not sorted.', differs(fact='unsorted keys')),
    Cause('LSTM without activation', 'Without an activation the reference multiplies the output gate by what its scratch memory held.', differs(fact='no activation')),
    Cause('offset beyond the end', 'STRIDED_SLICE with offsets: the reference does not limit the end, reads beyond it, and mixes up axes that an ellipsis adds.', differs(
        'STRIDED_SLICE', fact='offset')),
    Cause('shuffled weights', 'The reference computes batches of 1 and 4; others it leaves as they are.', differs('FULLY_CONNECTED', fact='shuffled weights')),
    Cause('running sum', 'LiteRT\'s default kernel keeps a running sum of squares, which loses small numbers next to large ones; the reference kernel leaves out a neighbor.',
          differs('LOCAL_RESPONSE_NORMALIZATION')),
    Cause('halves quantized in the run', 'Fast numerics round halves to even when activations are quantized, as XNNPACK does; here XNNPACK has not taken the node.',
          differs('FULLY_CONNECTED', numerics='fast', matches='equals (builtin_ref|none)')),
    Cause('rounding in 16 bits', 'The reference rounds every step of GELU to float16; we round its result.', differs('GELU', fact='float16')),
    Cause('GELU by its tangent', 'The kernel of fast numerics is good to 1e-7 for negative arguments, whatever the largest result is.',
          differs('GELU', numerics='fast', matches=r'off by [\d.]+e-0[89];')),
    Cause('underflow', 'Fast numerics have a number below 1e-20 where the reference has zero.', differs(matches=r'off by [\d.]+e-(2\d|3\d);', numerics='fast')),
    Cause('time first', 'Steps of the reference\'s bidirectional RNN with quantized weights have nothing to do with those of its own float32 form when time is the first '
          'dimension.', differs('BIDIRECTIONAL_SEQUENCE_RNN', fact='time first')),
    Cause('activation behind blocks', 'The reference runtime forgets the activation of a product with weights in blocks; XNNPACK and we do not.',
          differs('FULLY_CONNECTED', fact='activation behind blocks')),
    Cause('diagonals of other types', 'MATRIX_DIAG and MATRIX_SET_DIAG of the reference take types that they do not know and leave the output as it is.',
          differs('MATRIX_DIAG', 'MATRIX_SET_DIAG', fact='other type')),
    Cause('transform of length 1', 'RFFT2D with one column: the reference takes the row for the column\'s transform.', differs('RFFT2D', fact='transform of length 1')),
    Cause('strings without dimensions', 'The reference slices and combines strings without dimensions as bytes of its memory.', differs('STRIDED_SLICE', 'SKIP_GRAM', fact='strings')),
)


def cause_of(finding):
    return next((cause for cause in ALL if cause.applies(finding)), None)
