import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of reductions, pooling and resizing")
struct ReductionRefusalTests {
  private static func reduce(_ kind: BuiltinOperator, _ tensor: ProbeTensor, axis: Int32, output: ProbeTensor) -> Probe
  {
    Probe(kind, [tensor, .ints([axis])], [output], ReducerOptions.empty)
  }

  private static func extremum(_ kind: BuiltinOperator, _ shape: [Int], axis: Int32, type: ElementType = .int32)
    -> Probe
  {
    Probe(
      kind, [.floats(shape), .ints([axis])], [.of(.int32)],
      kind == .argMax ? ArgMaxOptions.with { [$0.outputType(type)] } : ArgMinOptions.with { [$0.outputType(type)] })
  }

  private static let short = ProbeTensor.of(.int16, [2, 3], scale: 1)

  private static let axes: [Refusal] = [
    Refusal(
      "reduces axis 2 of input", reduce(.sum, .floats([2, 3]), axis: 2, output: .floats()),
      but: reduce(.sum, .floats([2, 3]), axis: 1, output: .floats())),
    Refusal(
      "reduces axis -3 of input", reduce(.reduceMax, .floats([2, 3]), axis: -3, output: .floats()),
      but: reduce(.reduceMax, .floats([2, 3]), axis: -2, output: .floats())),
    Refusal(
      "must have zero point 0, as every int16 tensor",
      reduce(.mean, .of(.int16, [2, 3], scale: 1, zeroPoint: 1), axis: 0, output: .of(.int16, scale: 1)),
      but: reduce(.mean, short, axis: 0, output: .of(.int16, scale: 1))),
    Refusal(
      "must have zero point 0, as every int16 tensor",
      reduce(.sum, short, axis: 0, output: .of(.int16, scale: 1, zeroPoint: -1))),
    Refusal(
      "does not take", reduce(.reduceProd, .of(.uint8, [2, 3], scale: 1), axis: 0, output: .of(.uint8, scale: 1)),
      but: reduce(.reduceProd, .of(.uint8, [2, 3]), axis: 0, output: .of(.uint8)), code: .unsupportedOperators),
    Refusal("searches axis 2 of input", extremum(.argMax, [2, 3], axis: 2), but: extremum(.argMax, [2, 3], axis: 1)),
    Refusal(
      "searches axis -3 of input", extremum(.argMin, [2, 3], axis: -3), but: extremum(.argMin, [2, 3], axis: -2)),
    Refusal("which has rank 0", extremum(.argMin, [], axis: 0)),
    Refusal(
      "searches axis 1 of input 't0' float32[2×0], which is empty", extremum(.argMax, [2, 0], axis: 1),
      but: extremum(.argMax, [0, 2], axis: 1)),
    Refusal(
      "got 0", extremum(.argMax, [2, 3], axis: 0, type: .float32),
      but: extremum(.argMax, [2, 3], axis: 0, type: .int64)),
    Refusal("got 9", extremum(.argMin, [2, 3], axis: 0, type: .int8)),
  ]

  private static func window(
    _ shape: [Int], _ window: [Int64], _ stride: [Int64], _ dilation: [Int64], function: Int = 1, initial: [Int] = []
  ) -> Probe {
    Probe(
      .reduceWindow, [.floats(shape), .floats(initial), .constant(window), .constant(stride), .constant(dilation)],
      [.floats()], ReduceWindowOptions.with { [$0.reduceFunction(code: function)] })
  }

  private static let windows: [Refusal] = [
    Refusal(
      "has window function 0; it must be 1 to 6", window([4], [2], [1], [1], function: 0),
      but: window([4], [2], [1], [1], function: 1)),
    Refusal(
      "has window function 7", window([4], [2], [1], [1], function: 7), but: window([4], [2], [1], [1], function: 6)),
    Refusal("input 2 must contain one number per axis", window([4, 4], [2], [1, 1], [1, 1])),
    Refusal("input 3 must contain one number per axis", window([4], [2], [1, 1], [1])),
    Refusal("input 4 must contain one number per axis", window([4], [2], [1], [1, 1])),
    Refusal(
      "must contain one element", window([4], [2], [1], [1], initial: [2]),
      but: window([4], [2], [1], [1], initial: [1])),
    Refusal("window 0, stride 1 and dilation 1 must be positive", window([4], [0], [1], [1])),
    Refusal("window 2, stride 0 and dilation 1 must be positive", window([4], [2], [0], [1])),
    Refusal("window 2, stride 1 and dilation -1 must be positive", window([4], [2], [1], [-1])),
  ]

  private static func resize(
    _ kind: BuiltinOperator, _ shape: [Int], _ size: [Int32], corners: Bool = false, centers: Bool = false
  ) -> Probe {
    Probe(
      kind, [.floats(shape), .ints(size)], [.floats()],
      kind == .resizeBilinear
        ? ResizeBilinearOptions.with { [$0.alignCorners(corners), $0.halfPixelCenters(centers)] }
        : ResizeNearestNeighborOptions.with { [$0.alignCorners(corners), $0.halfPixelCenters(centers)] })
  }

  private static let resized: [Refusal] = [
    Refusal("must be [batch×height×width×channels]", resize(.resizeBilinear, [2, 2, 1], [3, 3])),
    Refusal(
      "must be two positive numbers", resize(.resizeBilinear, [1, 2, 2, 1], [3]),
      but: resize(.resizeBilinear, [1, 2, 2, 1], [3, 1])),
    Refusal(
      "must be two positive numbers", resize(.resizeNearestNeighbor, [1, 2, 2, 1], [0, 3]),
      but: resize(.resizeNearestNeighbor, [1, 2, 2, 1], [1, 3])),
    Refusal("must be two positive numbers", resize(.resizeNearestNeighbor, [1, 2, 2, 1], [3, 0])),
    Refusal("must be two positive numbers", resize(.resizeNearestNeighbor, [1, 2, 2, 1], [3, 3, 3])),
    Refusal(
      "has no pixels to resize", resize(.resizeBilinear, [1, 0, 2, 1], [3, 3]),
      but: resize(.resizeBilinear, [0, 2, 2, 1], [3, 3])),
    Refusal(
      "has no pixels to resize", resize(.resizeBilinear, [1, 2, 0, 1], [3, 3]),
      but: resize(.resizeBilinear, [1, 2, 1, 0], [3, 3])),
    Refusal(
      "sets align_corners and half_pixel_centers",
      resize(.resizeBilinear, [1, 2, 2, 1], [3, 3], corners: true, centers: true),
      but: resize(.resizeNearestNeighbor, [1, 2, 2, 1], [3, 3], corners: true, centers: true)),
  ]

  private static func pool(
    _ kind: BuiltinOperator, _ shape: [Int], window: (Int, Int) = (2, 2), stride: (Int, Int) = (1, 1),
    _ field: WrittenOptionField? = nil
  ) -> Probe {
    var options = Pool2DOptions.with {
      [
        $0.padding(.valid), $0.strideHeight(stride.0), $0.strideWidth(stride.1), $0.filterHeight(window.0),
        $0.filterWidth(window.1),
      ]
    }
    if let field { options = options.replacing(field) }
    return Probe(kind, [.floats(shape)], [.floats()], options)
  }

  private static let pools: [Refusal] = [
    Refusal("requires an input of rank 4", pool(.maxPool2D, [3, 3, 1])),
    Refusal(
      "requires an input of rank 4", pool(.averagePool2D, [1, 3, 3, 0]), but: pool(.averagePool2D, [0, 3, 3, 1])),
    Refusal("height window of 0", pool(.averagePool2D, [1, 3, 3, 1], window: (0, 2))),
    Refusal("width window of 0", pool(.maxPool2D, [1, 3, 3, 1], window: (2, 0))),
    Refusal("height stride of 0", pool(.l2Pool2D, [1, 3, 3, 1], stride: (0, 1))),
    Refusal("width stride of -1", pool(.l2Pool2D, [1, 3, 3, 1], stride: (1, -1))),
    Refusal(
      "has a window of 5 along the height", pool(.maxPool2D, [1, 3, 4, 1], window: (5, 1)),
      but: pool(.maxPool2D, [1, 3, 4, 1], window: (4, 5))),
    Refusal("has a window of 6 along the width", pool(.maxPool2D, [1, 3, 4, 1], window: (1, 6))),
    Refusal("has padding 2", pool(.averagePool2D, [1, 3, 3, 1], Pool2DOptions.padding(code: 2))),
    Refusal(
      "fused activation tanh", pool(.averagePool2D, [1, 3, 3, 1], Pool2DOptions.fusedActivation(.tanh)),
      but: pool(.averagePool2D, [1, 3, 3, 1], Pool2DOptions.fusedActivation(.relu6))),
    Refusal(
      "takes 1 inputs, but the model has 2",
      Probe(.maxPool2D, [.floats([1, 3, 3, 1]), .floats()], [.floats()], Pool2DOptions.empty)),
  ]

  @Test("axes, types and zero points", arguments: axes)
  func refusesAxes(refusal: Refusal) { refusal.check() }

  @Test("empty and excessive windows", arguments: windows)
  func refusesWindows(refusal: Refusal) { refusal.check() }

  @Test("impossible image sizes", arguments: resized)
  func refusesResized(refusal: Refusal) { refusal.check() }

  @Test("windows that are inconsistent with the image", arguments: pools)
  func refusesPools(refusal: Refusal) { refusal.check() }

  @Test("sides that exceed the table limit")
  func refusesLarge() {
    func resized(_ side: Int32) -> Probe {
      Probe(
        .resizeNearestNeighbor, [.of(.int8, [1, 1, 1, 1]), .ints([1, side])], [.of(.int8)],
        ResizeNearestNeighborOptions.empty)
    }
    Refusal(
      "size [1, 16777217] is above the limit of 16777216 pixels a side", resized(1 << 24 + 1), code: .limitExceeded,
      isUnread: true
    ).check()
  }
}
