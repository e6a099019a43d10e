import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks that several threads, which write their own parts of the output from their own parts of the input, give the
/// same result as one.
@Suite("Tiles of several threads")
struct TilesTests {
  private static let functions: [TiledCase] = [
    BuiltinOperator.abs, .ceil, .cos, .exp, .floor, .neg, .relu, .round, .sin, .square, .zerosLike, .sign, .elu,
    .hardSwish, .tanh,
  ].map { kind in TiledCase(kind) { Probe($0, [.floats(filling: [41_003])], [.floats()]) } }

  private static let byteFunctions: [TiledCase] = [
    BuiltinOperator.hardSwish, .logistic, .relu6, .tanh, .leakyRelu,
  ].map { kind in
    TiledCase(kind, "int8") {
      Probe(
        $0, [.codes(filling: [41_003], scale: 0.05, zeroPoint: 3)], [.of(.int8, scale: 0.04, zeroPoint: -2)],
        $0 == .leakyRelu ? LeakyReluOptions.with { [$0.alpha(0.3)] } : nil, version: $0 == .hardSwish ? 1 : 2)
    }
  }

  private static let conversions: [TiledCase] = [
    TiledCase(.cast, "float32 to int16") { Probe($0, [.floats(filling: [41_003])], [.of(.int16)]) },
    TiledCase(.cast, "float32 to int32") { Probe($0, [.floats(filling: [41_003])], [.of(.int32)]) },
    TiledCase(.quantize) { Probe($0, [.floats(filling: [41_003])], [.of(.int8, scale: 0.05, zeroPoint: 4)]) },
    TiledCase(.quantize, "per channel") {
      Probe(
        $0, [.floats(filling: [20_000, 3])], [ProbeTensor.of(.int8, [20_000, 3]).scaled([0.1, 0.2, 0.3], axis: 1)],
        version: 3)
    },
    TiledCase(.dequantize) { Probe($0, [.codes(filling: [141_003], scale: 0.05, zeroPoint: 4)], [.floats()]) },
    TiledCase(.dequantize, "per channel") {
      Probe($0, [.codes(filling: [20_000, 3]).scaled([0.1, 0.2, 0.3], axis: 1)], [.floats()], version: 5)
    },
    TiledCase(.fakeQuant) {
      Probe(
        $0, [.floats(filling: [41_003])], [.floats()],
        FakeQuantOptions.with { [$0.minimum(-3), $0.maximum(4), $0.bitCount(8)] })
    },
    TiledCase(.reshape) {
      Probe($0, [.floats(filling: [100_003])], [.floats()], ReshapeOptions.with { [$0.newShape([1, -1])] })
    },
  ]

  private static let binary: [TiledCase] = [
    TiledCase(.add) {
      Probe($0, [.floats(filling: [150, 1, 71]), .floats(filling: [1, 13, 71])], [.floats()], AddOptions.empty)
    },
    TiledCase(.mul, "by columns") {
      Probe($0, [.floats(filling: [150, 13, 71]), .floats(filling: [13, 1])], [.floats()], MulOptions.empty)
    },
    TiledCase(.sub, "int8") {
      Probe(
        $0, [.codes(filling: [331, 171], scale: 0.1, zeroPoint: 2), .codes(filling: [171], scale: 0.07)],
        [.of(.int8, scale: 0.1, zeroPoint: 1)], SubOptions.empty)
    },
    TiledCase(.less) { Probe($0, [.floats(filling: [331, 171]), .floats(filling: [331, 1])], [.of(.bool)]) },
    TiledCase(.atan2) { Probe($0, [.floats(filling: [31, 171]), .floats(filling: [171])], [.floats()]) },
    TiledCase(.floorDiv) { Probe($0, [.floats(filling: [51, 171]), .constant([Float(0.75)])], [.floats()]) },
    TiledCase(.pow) { Probe($0, [.floats(filling: [57, 171]), .constant([Float(2)])], [.floats()]) },
    TiledCase(.selectV2) {
      Probe($0, [.truths(171), .floats(filling: [331, 171]), .floats(filling: [331, 1])], [.floats()])
    },
    TiledCase(.select) {
      Probe($0, [.truths(331), .floats(filling: [331, 171]), .floats(filling: [331, 171])], [.floats()])
    },
    TiledCase(.addN) {
      Probe($0, [.floats(filling: [41_003]), .floats(filling: [41_003]), .floats(filling: [41_003])], [.floats()])
    },
    TiledCase(.prelu) { Probe($0, [.floats(filling: [331, 171]), .floats(filling: [171])], [.floats()]) },
  ]

  private static let moving: [TiledCase] = [
    TiledCase(.transpose) { Probe($0, [.floats(filling: [31, 57, 43]), .ints([2, 0, 1])], [.floats()]) },
    TiledCase(.transpose, "bytes") { Probe($0, [.codes(filling: [31, 157, 43]), .ints([1, 0, 2])], [.of(.int8)]) },
    TiledCase(.concatenation) {
      Probe(
        $0, [.floats(filling: [101, 57, 7]), .floats(filling: [101, 31, 7])], [.floats()],
        ConcatenationOptions.with { [$0.axis(1)] })
    },
    TiledCase(.concatenation, "requantized") {
      Probe(
        $0, [.codes(filling: [101, 157], scale: 0.1, zeroPoint: 2), .codes(filling: [101, 231], scale: 0.2)],
        [.of(.int8, scale: 0.2)], ConcatenationOptions.with { [$0.axis(1)] })
    },
    TiledCase(.pad) { Probe($0, [.floats(filling: [51, 57, 31]), .ints([1, 2, 3, 1, 0, 2], [3, 2])], [.floats()]) },
    TiledCase(.mirrorPad, "three axes") {
      Probe(
        $0, [.floats(filling: [51, 57, 31]), .ints([1, 2, 3, 1, 4, 2], [3, 2])], [.floats()],
        MirrorPadOptions.with { [$0.mode(.reflect)] })
    },
    TiledCase(.mirrorPad, "two axes") {
      Probe(
        $0, [.floats(filling: [51, 57, 31]), .ints([1, 2, 3, 1, 0, 0], [3, 2])], [.floats()],
        MirrorPadOptions.with { [$0.mode(.symmetric)] })
    },
    TiledCase(.spaceToBatchND) {
      Probe($0, [.floats(filling: [3, 62, 91, 5]), .ints([2, 3]), .ints([1, 1, 2, 0], [2, 2])], [.floats()])
    },
    TiledCase(.batchToSpaceND) {
      Probe($0, [.floats(filling: [18, 31, 30, 5]), .ints([2, 3]), .ints([1, 0, 2, 1], [2, 2])], [.floats()])
    },
    TiledCase(.depthToSpace) {
      Probe($0, [.floats(filling: [3, 31, 30, 36])], [.floats()], DepthToSpaceOptions.with { [$0.blockSize(3)] })
    },
    TiledCase(.spaceToDepth) {
      Probe($0, [.floats(filling: [3, 93, 90, 4])], [.floats()], SpaceToDepthOptions.with { [$0.blockSize(3)] })
    },
    TiledCase(.slice) {
      Probe($0, [.floats(filling: [101, 57, 31]), .ints([3, 2, 1]), .ints([90, 50, 29])], [.floats()])
    },
    TiledCase(.stridedSlice) {
      Probe(
        $0, [.floats(filling: [101, 57, 31]), .ints([3, 55, 1]), .ints([90, 0, 29]), .ints([1, -2, 2])], [.floats()],
        StridedSliceOptions.empty)
    },
    TiledCase(.reverseV2) { Probe($0, [.floats(filling: [101, 57, 31]), .ints([0, 2])], [.floats()]) },
    TiledCase(.reverseSequence) {
      Probe(
        $0, [.floats(filling: [51, 41, 31]), .indices(filling: [51], below: 42)], [.floats()],
        ReverseSequenceOptions.with { [$0.sequenceDimension(1), $0.batchDimension(0)] })
    },
    TiledCase(.tile) { Probe($0, [.floats(filling: [51, 7, 31]), .ints([2, 3, 2])], [.floats()]) },
    TiledCase(.broadcastTo) { Probe($0, [.floats(filling: [51, 1, 31]), .ints([51, 47, 31])], [.floats()]) },
    TiledCase(.fill) { Probe($0, [.ints([300, 1001]), .values([Int64(-5)], [])], [.of(.int64)]) },
    TiledCase(.matrixDiag) { Probe($0, [.floats(filling: [5, 201])], [.floats()]) },
    TiledCase(.matrixSetDiag) {
      Probe($0, [.floats(filling: [7, 101, 117]), .floats(filling: [7, 101])], [.floats()])
    },
    TiledCase(.dilate) {
      Probe(
        $0, [.floats(filling: [101, 57]), .ints([3, 4]), .values([Float(2)], [])], [.floats()], .fieldless(.dilate))
    },
    TiledCase(.split) {
      Probe(
        $0, [.scalar(1), .floats(filling: [301, 60, 5])], [.floats(), .floats(), .floats()],
        SplitOptions.with { [$0.splitCount(3)] })
    },
    TiledCase(.pack) {
      Probe(
        $0, [.floats(filling: [301, 60]), .floats(filling: [301, 60])], [.floats()],
        PackOptions.with { [$0.valuesCount(2), $0.axis(1)] })
    },
    TiledCase(.cumsum) {
      Probe($0, [.floats(filling: [81, 57, 7]), .scalar(1)], [.floats()], CumsumOptions.with { [$0.reverse(true)] })
    },
    TiledCase(.resizeNearestNeighbor) {
      Probe($0, [.floats(filling: [2, 31, 41, 3]), .ints([97, 83])], [.floats()], ResizeNearestNeighborOptions.empty)
    },
    TiledCase(.resizeBilinear) {
      Probe($0, [.floats(filling: [2, 31, 41, 3]), .ints([97, 83])], [.floats()], ResizeBilinearOptions.empty)
    },
    TiledCase(.resizeBilinear, "int8") {
      Probe(
        $0, [.codes(filling: [2, 31, 41, 3], scale: 1), .ints([97, 83])], [.of(.int8, scale: 1)],
        ResizeBilinearOptions.empty, version: 2)
    },
  ]

  private static let indexed: [TiledCase] = [
    TiledCase(.gather) {
      Probe(
        $0, [.floats(filling: [7, 301, 5]), .indices(filling: [1203], below: 301)], [.floats()],
        GatherOptions.with { [$0.axis(1)] })
    },
    TiledCase(.gather, "in batches") {
      Probe(
        $0, [.floats(filling: [31, 3, 41, 5]), .indices(filling: [31, 103], below: 41)], [.floats()],
        GatherOptions.with { [$0.axis(2), $0.batchDimensions(1)] })
    },
    TiledCase(.gatherND) {
      Probe($0, [.floats(filling: [41, 41, 9]), .indices(filling: [4003, 2], below: 41)], [.floats()])
    },
    TiledCase(.scatterND) {
      Probe(
        $0, [.indices(filling: [53, 1], below: 97), .floats(filling: [53, 3001]), .ints([97, 3001])], [.floats()])
    },
    TiledCase(.oneHot) {
      Probe(
        $0, [.indices(filling: [1001], below: 90), .scalar(77), .values([Float(3)], []), .values([Float(-1)], [])],
        [.floats()], OneHotOptions.with { [$0.axis(-1)] })
    },
    TiledCase(.oneHot, "in front") {
      Probe(
        $0, [.indices(filling: [31, 41], below: 90), .scalar(77), .values([Float(3)], []), .values([Float(-1)], [])],
        [.floats()], OneHotOptions.with { [$0.axis(1)] })
    },
    TiledCase(.embeddingLookup) {
      Probe($0, [.indices(filling: [4003], below: 97), .floats(filling: [97, 31])], [.floats()])
    },
    TiledCase(.embeddingLookup, "int8") {
      Probe($0, [.indices(filling: [1003], below: 97), .codes(filling: [97, 31], scale: 0.1)], [.floats()])
    },
    TiledCase(.hashtableLookup) {
      Probe(
        $0, [.indices(filling: [1003], below: 300), .evenNumbers(97), .floats(filling: [97, 11])],
        [.floats(), .of(.uint8)])
    },
    TiledCase(.bucketize) {
      Probe(
        $0, [.floats(filling: [10_003])], [.of(.int32)], BucketizeOptions.with { [$0.boundaries([-4, -1, 0, 2.5, 6])] })
    },
    TiledCase(.topkV2) { Probe($0, [.floats(filling: [101, 57]), .scalar(9)], [.floats(), .of(.int32)]) },
    TiledCase(.whereNonzero) { Probe($0, [.indices(filling: [301, 97], below: 3)], [.of(.int64)]) },
    TiledCase(.unique) { Probe($0, [.indices(filling: [10_001], below: 611)], [.of(.int32), .of(.int64)]) },
    TiledCase(.unsortedSegmentMin) {
      Probe($0, [.floats(filling: [101, 3001]), .indices(filling: [101], below: 31), .scalar(31)], [.floats()])
    },
    TiledCase(.dynamicUpdateSlice) {
      Probe($0, [.floats(filling: [101, 57, 31]), .floats(filling: [80, 31, 20]), .ints([11, 3, 5])], [.floats()])
    },
    TiledCase(.sparseToDense) {
      Probe(
        $0,
        [
          .indices(filling: [1001], below: 90_001), .ints([90_001]), .floats(filling: [1001]), .values([Float(-1)], []),
        ], [.floats()])
    },
  ]

  private static let reductions: [TiledCase] = [BuiltinOperator.sum, .mean, .reduceMax, .reduceMin, .reduceProd].flatMap
  {
    kind in
    [
      TiledCase(kind, "rows") {
        Probe($0, [.floats(filling: [301, 171]), .ints([1])], [.floats()], ReducerOptions.empty)
      },
      TiledCase(kind, "columns") {
        Probe($0, [.floats(filling: [31, 17, 1171]), .ints([1])], [.floats()], ReducerOptions.empty)
      },
      TiledCase(kind, "axes apart") {
        Probe($0, [.floats(filling: [31, 17, 13, 11]), .ints([0, 2])], [.floats()], ReducerOptions.empty)
      },
    ]
  }

  private static let pools: [TiledCase] = [BuiltinOperator.maxPool2D, .averagePool2D, .l2Pool2D].map { kind in
    TiledCase(kind) {
      Probe(
        $0, [.floats(filling: [2, 41, 37, 11])], [.floats()],
        Pool2DOptions.with {
          [$0.padding(.same), $0.strideHeight(1), $0.strideWidth(2), $0.filterHeight(3), $0.filterWidth(2)]
        })
    }
  }

  private static let reducing: [TiledCase] = [
    TiledCase(.mean, "int8") {
      Probe(
        $0, [.codes(filling: [31, 17, 171], scale: 0.1), .ints([1])], [.of(.int8, scale: 0.05)], ReducerOptions.empty)
    },
    TiledCase(.argMax, "rows") {
      Probe(
        $0, [.floats(filling: [301, 171]), .ints([1])], [.of(.int32)], ArgMaxOptions.with { [$0.outputType(.int32)] })
    },
    TiledCase(.argMin, "columns") {
      Probe(
        $0, [.floats(filling: [31, 17, 1171]), .ints([1])], [.of(.int64)],
        ArgMinOptions.with { [$0.outputType(.int64)] })
    },
    TiledCase(.reduceWindow) {
      Probe(
        $0,
        [
          .floats(filling: [61, 57]), .values([Float(0)], []), .constant([Int64(3), 2]), .constant([Int64(1), 2]),
          .constant([Int64(2), 1]),
        ], [.floats()], ReduceWindowOptions.with { [$0.reduceFunction(.maximum)] })
    },
    TiledCase(.softmax) {
      Probe($0, [.floats(filling: [301, 171])], [.floats()], SoftmaxOptions.with { [$0.beta(0.5)] })
    },
    TiledCase(.logSoftmax) { Probe($0, [.floats(filling: [301, 171])], [.floats()]) },
    TiledCase(.softmax, "int8") {
      Probe(
        $0, [.codes(filling: [31, 171], scale: 0.05)], [.of(.int8, scale: 1 / 256, zeroPoint: -128)],
        SoftmaxOptions.with { [$0.beta(1)] })
    },
    TiledCase(.l2Normalization) { Probe($0, [.floats(filling: [301, 171])], [.floats()], L2NormOptions.empty) },
    TiledCase(.localResponseNormalization) {
      Probe(
        $0, [.floats(filling: [1, 7, 11, 31])], [.floats()],
        LocalResponseNormalizationOptions.with { [$0.radius(2), $0.bias(1), $0.alpha(0.1), $0.beta(0.5)] })
    },
  ]

  private static let multiplying: [TiledCase] = [
    TiledCase(.fullyConnected) {
      Probe(
        $0, [.floats(filling: [67, 93]), .floats(filling: [71, 93]), .floats(filling: [71])], [.floats()],
        FullyConnectedOptions.empty)
    },
    TiledCase(.fullyConnected, "int16 weights") {
      Probe(
        $0, [.shorts(filling: [15, 93]), .shorts(filling: [31, 93])], [.of(.int16, scale: 0.5)],
        FullyConnectedOptions.empty, version: 7)
    },
    TiledCase(.batchMatMul) {
      Probe(
        $0, [.floats(filling: [5, 37, 43]), .floats(filling: [5, 43, 31])], [.floats()], BatchMatMulOptions.empty)
    },
    TiledCase(.batchMatMul, "transposed") {
      Probe(
        $0, [.floats(filling: [5, 43, 37]), .floats(filling: [5, 31, 43])], [.floats()],
        BatchMatMulOptions.with { [$0.adjointX(true), $0.adjointY(true)] })
    },
    TiledCase(.conv2D, "computed filter") {
      Probe(
        $0, [.floats(filling: [2, 39, 43, 5]), .floats(filling: [17, 3, 2, 5]), .floats(filling: [17])], [.floats()],
        Conv2DOptions.with { [$0.padding(.same), $0.strideHeight(1), $0.strideWidth(2)] })
    },
    TiledCase(.depthwiseConv2D, "computed filter") {
      Probe(
        $0, [.floats(filling: [2, 29, 23, 5]), .floats(filling: [1, 3, 2, 10]), .floats(filling: [10])], [.floats()],
        DepthwiseConv2DOptions.with { [$0.padding(.same), $0.strideHeight(1), $0.strideWidth(2)] })
    },
    TiledCase(.transposeConv) {
      Probe(
        $0, [.ints([2, 38, 46, 7]), .floats(filling: [7, 3, 2, 5]), .floats(filling: [2, 19, 23, 5])], [.floats()],
        TransposeConvOptions.with { [$0.padding(.same), $0.strideHeight(2), $0.strideWidth(2)] })
    },
    TiledCase(.conv3D) {
      Probe(
        $0, [.floats(filling: [2, 9, 19, 18, 3]), .floats(filling: [2, 3, 2, 3, 9]), .floats(filling: [9])],
        [.floats()],
        Conv3DOptions.with { [$0.padding(.same), $0.strideDepth(1), $0.strideHeight(1), $0.strideWidth(2)] })
    },
    TiledCase(.stablehloGather) {
      Probe(
        $0, [.floats(filling: [41, 31]), .indices(filling: [301, 1], below: 45)], [.floats()],
        StableHLOGatherOptions.with {
          [
            $0.offsetDimensions([1]), $0.collapsedSliceDimensions([0]), $0.startIndexMap([0]),
            $0.indexVectorDimension(1), $0.sliceSizes([1, 31]),
          ]
        })
    },
    TiledCase(custom: "Resampler") {
      Probe(custom: "Resampler", [.floats(filling: [2, 31, 29, 3]), .floats(filling: [2, 31, 29, 2])], [.floats()])
    },
    TiledCase(custom: "TransformLandmarks") {
      Probe(
        custom: "TransformLandmarks", [.floats(filling: [1, 9001, 3]), .floats(filling: [1, 4, 4])], [.floats()],
        version: 2)
    },
  ]

  private func check(_ item: TiledCase) throws {
    var probe = item.probe()
    let alone = try probe.run().map(\.bytes)
    probe.runtime.threads = 4
    let steps = try probe.compile().program.steps
    // Operators whose shapes depend on values are compiled during the run.
    let isShared = steps.isEmpty || steps.contains { $0.stage.tileCount > 1 }
    #expect(isShared, "is too small to be shared out")
    let isEqual = try probe.run().map(\.bytes) == alone
    #expect(isEqual)
    probe.runtime.threads = 1
    probe.runtime.numerics = .bitExact
    let exact = try probe.run().map(\.bytes)
    probe.runtime.threads = 4
    let isExactlyEqual = try probe.run().map(\.bytes) == exact
    #expect(isExactlyEqual)
  }

  @Test("functions of one element", arguments: functions + byteFunctions + conversions)
  func sharesFunctions(item: TiledCase) throws { try check(item) }

  @Test("functions of two elements", arguments: binary)
  func sharesArithmetic(item: TiledCase) throws { try check(item) }

  @Test("data movement", arguments: moving)
  func sharesMoves(item: TiledCase) throws { try check(item) }

  @Test("look-ups", arguments: indexed)
  func sharesLookUps(item: TiledCase) throws { try check(item) }

  @Test("reductions", arguments: reductions + pools + reducing)
  func sharesReductions(item: TiledCase) throws { try check(item) }

  @Test("products", arguments: multiplying)
  func sharesProducts(item: TiledCase) throws { try check(item) }
}
