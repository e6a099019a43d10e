import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of padding and blocks")
struct PaddingRefusalTests {
  private static func padded(
    _ kind: BuiltinOperator, _ shape: [Int], _ paddings: [Int32], _ paddingShape: [Int]? = nil,
    value: ProbeTensor? = nil, options: WrittenOptions? = nil
  ) -> Probe {
    var probe = Probe(
      kind, [.floats(shape), .ints(paddings, paddingShape ?? [shape.count, 2])], [.floats()], options)
    if let value { probe.inputs.append(value) }
    return probe
  }

  private static func mirrored(_ mode: MirrorPadMode, _ paddings: [Int32]) -> Probe {
    padded(.mirrorPad, [3], paddings, options: MirrorPadOptions.with { [$0.mode(mode)] })
  }

  private static let paddings: [Refusal] = [
    Refusal("must be [1×2], one pair for each axis", padded(.pad, [3], [0, 0, 0, 0], [2, 2])),
    Refusal("must be [2×2]", padded(.pad, [3, 3], [0, 0, 0, 0], [4]), but: padded(.pad, [3, 3], [0, 0, 0, 0])),
    Refusal("must be [1×2]", padded(.pad, [3], [0, 0, 0], [1, 3])),
    Refusal("by -2 and -2 gives no valid size", padded(.pad, [3], [-2, -2]), but: padded(.pad, [3], [-2, -1])),
    Refusal(
      "padding axis 1 of input", padded(.pad, [3, 2], [0, 0, 0, -3]), but: padded(.pad, [3, 2], [0, 0, 0, -2])),
    Refusal(
      "the padding value 't2' float32[2] must contain one element",
      padded(.padV2, [3], [1, 1], value: .floats([2])), but: padded(.padV2, [3], [1, 1], value: .floats([1]))),
    Refusal("must be from 0 to 2", mirrored(.reflect, [3, 0]), but: mirrored(.reflect, [2, 0])),
    Refusal("must be from 0 to 2", mirrored(.reflect, [0, 3]), but: mirrored(.reflect, [0, 2])),
    Refusal("must be from 0 to 3", mirrored(.symmetric, [4, 0]), but: mirrored(.symmetric, [3, 0])),
    Refusal("must be from 0 to 3", mirrored(.symmetric, [0, 4]), but: mirrored(.symmetric, [0, 3])),
    Refusal("paddings -1 and 2 of axis 0", mirrored(.symmetric, [-1, 2])),
    Refusal("paddings 2 and -1 of axis 0", mirrored(.symmetric, [2, -1]), but: mirrored(.symmetric, [0, 0])),
    Refusal(
      "has mirror mode 2", padded(.mirrorPad, [3], [1, 1], options: MirrorPadOptions.with { [$0.mode(code: 2)] })),
  ]

  private static func blocks(
    _ kind: BuiltinOperator, _ shape: [Int], _ blocks: [Int32], _ margins: [Int32], _ marginShape: [Int]? = nil
  ) -> Probe {
    Probe(kind, [.floats(shape), .ints(blocks), .ints(margins, marginShape ?? [blocks.count, 2])], [.floats()])
  }

  private static let batches: [Refusal] = [
    Refusal("one block of 1 or more", blocks(.spaceToBatchND, [1, 4], [2], [0, 0])),
    Refusal(
      "one block of 1 or more", blocks(.spaceToBatchND, [1, 4, 4, 1], [2], [0, 0]),
      but: blocks(.spaceToBatchND, [1, 4, 4, 1], [2, 2], [0, 0, 0, 0])),
    Refusal(
      "one block of 1 or more", blocks(.spaceToBatchND, [1, 4, 1], [0], [0, 0]),
      but: blocks(.spaceToBatchND, [1, 4, 1], [1], [0, 0])),
    Refusal("two margins of 0 or more", blocks(.spaceToBatchND, [1, 4, 1], [2], [-1, 1])),
    Refusal("two margins of 0 or more", blocks(.spaceToBatchND, [1, 4, 1], [2], [0], [1, 1])),
    Refusal(
      "axis 1 of input 't0' float32[1×5×1], 5 with its padding, is not a multiple of block 2",
      blocks(.spaceToBatchND, [1, 5, 1], [2], [0, 0]), but: blocks(.spaceToBatchND, [1, 5, 1], [2], [0, 1])),
    Refusal("6 with its padding", blocks(.spaceToBatchND, [1, 3, 1], [4], [2, 1])),
    Refusal(
      "axis 2 of input", blocks(.spaceToBatchND, [1, 4, 5, 1], [2, 2], [0, 0, 0, 0]),
      but: blocks(.spaceToBatchND, [1, 4, 5, 1], [2, 5], [0, 0, 0, 0])),
    Refusal(
      "block 2 of axis 1 does not divide the batch", blocks(.batchToSpaceND, [3, 2, 1], [2], [0, 0]),
      but: blocks(.batchToSpaceND, [4, 2, 1], [2], [0, 0])),
    Refusal(
      "block 3 of axis 2 does not divide", blocks(.batchToSpaceND, [4, 1, 1, 1], [2, 3], [0, 0, 0, 0]),
      but: blocks(.batchToSpaceND, [6, 1, 1, 1], [2, 3], [0, 0, 0, 0])),
    Refusal(
      "its crops remove more than the axis has", blocks(.batchToSpaceND, [2, 2, 1], [2], [3, 2]),
      but: blocks(.batchToSpaceND, [2, 2, 1], [2], [3, 1])),
    Refusal("two margins of 0 or more", blocks(.batchToSpaceND, [2, 2, 1], [2], [0, -1])),
  ]

  private static func depth(_ shape: [Int], _ size: Int) -> Probe {
    Probe(.depthToSpace, [.floats(shape)], [.floats()], DepthToSpaceOptions.with { [$0.blockSize(size)] })
  }

  private static func space(_ shape: [Int], _ size: Int) -> Probe {
    Probe(.spaceToDepth, [.floats(shape)], [.floats()], SpaceToDepthOptions.with { [$0.blockSize(size)] })
  }

  private static let depths: [Refusal] = [
    Refusal("has block size 0", depth([1, 2, 2, 4], 0), but: depth([1, 2, 2, 4], 1)),
    Refusal("has block size -1", space([1, 2, 2, 4], -1), but: space([1, 2, 2, 4], 1)),
    Refusal("not a multiple of 2 × 2", depth([1, 2, 2, 6], 2), but: depth([1, 2, 2, 8], 2)),
    Refusal("not a multiple of 65536 × 65536", depth([1, 1, 1, 4], 65536)),
    Refusal("must be [batch×height×width×channels]", depth([2, 2, 4], 2)),
    Refusal("must be [batch×height×width×channels]", space([2, 2, 4], 2)),
    Refusal("height and width", space([1, 3, 2, 1], 2), but: space([1, 2, 2, 1], 2)),
    Refusal("height and width of input 't0' float32[1×2×3×1] are not multiples of 2", space([1, 2, 3, 1], 2)),
  ]

  private static func dilate(_ shape: [Int], _ dilations: [Int32], _ dilationShape: [Int]? = nil, value: [Int] = [])
    -> Probe
  {
    Probe(.dilate, [.floats(shape), .ints(dilations, dilationShape), .floats(value)], [.floats()], .fieldless(.dilate))
  }

  private static let spaced: [Refusal] = [
    Refusal("one number of 1 or more for each axis", dilate([2, 2], [1]), but: dilate([2, 2], [1, 1])),
    Refusal("dilations [0]", dilate([2], [0]), but: dilate([2], [1])),
    Refusal("one number of 1 or more for each axis", dilate([2], [1], [1, 1])),
    Refusal("must contain one element", dilate([2], [1], value: [2]), but: dilate([2], [2], value: [1])),
  ]

  private static func reversed(_ lengths: ProbeTensor, sequence: Int, batch: Int) -> Probe {
    Probe(
      .reverseSequence, [.floats([2, 3, 2]), lengths], [.floats()],
      ReverseSequenceOptions.with { [$0.sequenceDimension(sequence), $0.batchDimension(batch)] })
  }

  private static let sequences: [Refusal] = [
    Refusal("must be two axes", reversed(.ints([0, 0]), sequence: 0, batch: 0)),
    Refusal("sequence axis 3 and batch axis 0", reversed(.ints([0, 0]), sequence: 3, batch: 0)),
    Refusal("sequence axis -1", reversed(.ints([0, 0]), sequence: -1, batch: 0)),
    Refusal("batch axis -1", reversed(.ints([0, 0]), sequence: 0, batch: -1)),
    Refusal(
      "batch axis 3", reversed(.ints([0, 0]), sequence: 0, batch: 3),
      but: reversed(.ints([0, 0]), sequence: 0, batch: 2)),
    Refusal(
      "one for each of the 2 sequences", reversed(.ints([0, 0, 0]), sequence: 1, batch: 0),
      but: reversed(.ints([0, 0]), sequence: 1, batch: 0)),
    Refusal(
      "length 4 of sequence 1 must be from 0 to 3", reversed(.values([Int32(0), 4]), sequence: 1, batch: 0),
      but: reversed(.values([Int32(0), 3]), sequence: 1, batch: 0), code: .invalidInput),
    Refusal(
      "length -1 of sequence 0", reversed(.values([Int32(-1), 3]), sequence: 1, batch: 0), code: .invalidInput),
  ]

  private static func range<Scalar: TensorScalar>(_ start: Scalar, _ limit: Scalar, _ delta: Scalar) -> Probe {
    Probe(
      .range, [.constant([start], []), .constant([limit], []), .constant([delta], [])],
      [.of(Scalar.elementType)])
  }

  private static let ranges: [Refusal] = [
    Refusal("range from 1 to 3 in steps of 0", range(Int32(1), 3, 0), but: range(Int32(1), 3, 3)),
    Refusal("range from 1 to 3 in steps of -1", range(Int32(1), 3, -1), but: range(Int32(1), 1, -1)),
    Refusal("range from 3 to 1 in steps of 1", range(Int32(3), 1, 1), but: range(Int32(3), 1, -1)),
    Refusal("range from", range(Int64.min, Int64.max, 1)),
    Refusal("range from 1.0 to 3.0 in steps of 0.0", range(Float(1), 3, 0), but: range(Float(1), 3, 2.5)),
    Refusal("range from 1.0 to 3.0 in steps of -1.0", range(Float(1), 3, -1), but: range(Float(1), 1, -1)),
    Refusal("range from 3.0 to 1.0 in steps of 1.0", range(Float(3), 1, 1), but: range(Float(3), 1, -1)),
    Refusal("range from nan", range(Float.nan, 1, 1)),
    Refusal("range from 0.0 to inf", range(Float(0), .infinity, 1)),
    Refusal("range from 0.0 to 1.0995116e+12", range(Float(0), 0x1p40, 1)),
    Refusal(
      "must contain one element",
      Probe(.range, [.constant([Float(0), 1]), .constant([Float(1)]), .constant([Float(1)])], [.floats()])),
  ]

  @Test("paddings without a valid output size", arguments: paddings)
  func refusesPaddings(refusal: Refusal) { refusal.check() }

  @Test("blocks and margins that are inconsistent with the image", arguments: batches)
  func refusesBlocks(refusal: Refusal) { refusal.check() }

  @Test("channels and sides that aren't multiples of the block", arguments: depths)
  func refusesDepths(refusal: Refusal) { refusal.check() }

  @Test("a number of dilations that differs from the rank", arguments: spaced)
  func refusesDilations(refusal: Refusal) { refusal.check() }

  @Test("invalid axes and lengths of sequences", arguments: sequences)
  func refusesSequences(refusal: Refusal) { refusal.check() }

  @Test("endless ranges", arguments: ranges)
  func refusesRanges(refusal: Refusal) { refusal.check() }
}

/// Checks that quantized elements only move between tensors with the same quantization.
@Suite("Rejections of data movement between scales")
struct MovedScaleTests {
  private static func codes(_ shape: [Int], _ scale: Float = 0.5, _ zeroPoint: Int32 = 3) -> ProbeTensor {
    .of(.int8, shape, scale: scale, zeroPoint: zeroPoint)
  }

  private static let words = "must have the same scale and zero point"

  /// Returns the operators with this quantization of the output; inputs have scale 0.5 and zero point 3.
  private static func probes(_ output: ProbeTensor) -> [Probe] {
    let axis = ProbeTensor.ints([0], [])
    return [
      Probe(.expandDims, [codes([2]), axis], [output]),
      Probe(.fill, [.ints([2]), codes([])], [output]),
      Probe(
        .mirrorPad, [codes([2]), .ints([1, 1], [1, 2])], [output], MirrorPadOptions.with { [$0.mode(.symmetric)] }),
      Probe(.spaceToBatchND, [codes([1, 2, 1]), .ints([2]), .ints([0, 0], [1, 2])], [output]),
      Probe(.batchToSpaceND, [codes([2, 2, 1]), .ints([2]), .ints([0, 0], [1, 2])], [output]),
      Probe(.pack, [codes([2]), codes([2])], [output], PackOptions.with { [$0.valuesCount(2)] }),
      Probe(.unpack, [codes([1, 2])], [output], UnpackOptions.with { [$0.count(1)] }),
    ]
  }

  private static let refusals =
    zip(probes(codes([], 0.25)), probes(codes([]))).map { Refusal(words, $0, but: $1) }
    + zip(probes(codes([], 0.5, 4)), probes(codes([]))).map { Refusal(words, $0, but: $1) }
    + [
      Refusal(
        words, Probe(.pack, [codes([2]), codes([2], 0.25)], [codes([])], PackOptions.with { [$0.valuesCount(2)] })),
      Refusal(
        words,
        Probe(.unpack, [codes([2, 2])], [codes([]), codes([], 0.25)], UnpackOptions.with { [$0.count(2)] }),
        but: Probe(.unpack, [codes([2, 2])], [codes([]), codes([])], UnpackOptions.with { [$0.count(2)] })),
    ]

  @Test("an output with other quantization", arguments: refusals)
  func refusesScales(refusal: Refusal) { refusal.check() }

  @Test("concatenation rejects nonpositive scales", arguments: [0, -1, .infinity, .nan] as [Float])
  func refusesJoinedScale(scale: Float) {
    func joined(_ input: Float, _ output: Float) -> Probe {
      Probe(
        .concatenation, [Self.codes([2]), Self.codes([2], input)], [Self.codes([], output)],
        ConcatenationOptions.with { [$0.axis(0)] }
      )
    }
    for probe in [joined(scale, 1), joined(1, scale)] {
      let error: RuntimeError? = thrownError { try probe.compileUnread() }
      #expect(error?.code == .invalidModel)
      #expect(error?.message.contains("has a scale that is not positive") == true)
    }
  }
}
