import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of data movement operators")
struct MovementRefusalTests {
  private static func slice(_ begin: [Int32], _ size: [Int32]) -> Probe {
    Probe(.slice, [.floats([2, 3]), .ints(begin), .ints(size)], [.floats()])
  }

  private static func stridedSlice(
    _ begin: [Int32], _ end: [Int32], _ strides: [Int32], shape: [Int]? = nil, _ options: WrittenOptions? = nil
  ) -> Probe {
    Probe(
      .stridedSlice, [.floats([2, 3]), .ints(begin), .ints(end, shape), .ints(strides)], [.floats()],
      options ?? StridedSliceOptions.empty)
  }

  private static func shrinking(_ mask: Int) -> WrittenOptions {
    StridedSliceOptions.with { [$0.shrinkAxisMask(mask)] }
  }

  private static let ones31 = [Int32](repeating: 1, count: 31)

  private static let slices: [Refusal] = [
    Refusal("must have one value for each axis", slice([0], [1, 1]), but: slice([0, 0], [1, 1])),
    Refusal("must have one value for each axis", slice([0, 0], [1]), but: slice([0, 0], [2, 3])),
    Refusal("must have one value for each axis", slice([0, 0, 0], [1, 1])),
    Refusal("leave input 't0' float32[2×3] along axis 0", slice([-1, 0], [1, 1])),
    Refusal("along axis 0", slice([3, 0], [0, 1]), but: slice([2, 0], [0, 1])),
    Refusal("along axis 1", slice([0, 0], [1, -2]), but: slice([0, 1], [1, -1])),
    Refusal("along axis 1", slice([0, 1], [1, 3]), but: slice([0, 1], [1, 2])),
    Refusal("must be vectors of one length up to 31", stridedSlice([0, 0], [1], [1, 1])),
    Refusal("must be vectors of one length up to 31", stridedSlice([0, 0], [1, 1], [1])),
    Refusal("input 2 is 't2' int32[1×2]", stridedSlice([0, 0], [1, 1], [1, 1], shape: [1, 2])),
    Refusal(
      "up to 31", stridedSlice(ones31 + [1], ones31 + [1], ones31 + [1]),
      but: stridedSlice(ones31, ones31, ones31)),
    Refusal("stride 0 of position 1", stridedSlice([0, 0], [1, 1], [1, 0])),
    Refusal(
      "stride -2147483648 of position 0", stridedSlice([0, 0], [1, 1], [.min, 1]),
      but: stridedSlice([0, 0], [1, 1], [-.max, 1])),
    Refusal(
      "there is more than one ellipsis",
      stridedSlice([0, 0], [1, 1], [1, 1], StridedSliceOptions.with { [$0.ellipsisMask(3)] }),
      but: stridedSlice([0, 0], [1, 1], [1, 1], StridedSliceOptions.with { [$0.ellipsisMask(2)] })),
    Refusal(
      "a single step outside of axis 0, of size 2", stridedSlice([2, 0], [3, 3], [1, 1], shrinking(1)),
      but: stridedSlice([1, 0], [3, 3], [1, 1], shrinking(1))),
    Refusal(
      "a single step outside of axis 1, of size 3", stridedSlice([0, 3], [2, 4], [1, 1], shrinking(2)),
      but: stridedSlice([0, -3], [2, 4], [1, 1], shrinking(2))),
  ]

  private static func join(_ shapes: [[Int]], axis: Int, _ activation: FusedActivation = .none) -> Probe {
    Probe(
      .concatenation, shapes.map { .floats($0) }, [.floats()],
      ConcatenationOptions.with { [$0.axis(axis), $0.fusedActivation(activation)] })
  }

  private static func pack(_ shapes: [[Int]], axis: Int, count: Int? = nil) -> Probe {
    Probe(
      .pack, shapes.map { .floats($0) }, [.floats()],
      PackOptions.with { [$0.valuesCount(count ?? shapes.count), $0.axis(axis)] })
  }

  private static let joined: [Refusal] = [
    Refusal(
      "axis 2 is outside of input 0", join([[2, 3], [2, 3]], axis: 2), but: join([[2, 3], [2, 3]], axis: 1)),
    Refusal("axis -3 is outside", join([[2, 3], [2, 3]], axis: -3), but: join([[2, 3], [2, 3]], axis: -2)),
    Refusal("axis 1 is outside", join([[], []], axis: 1), but: join([[], []], axis: 0)),
    Refusal("has another rank than input 0", join([[2, 3], [6]], axis: 0)),
    Refusal("along another axis than 0", join([[2, 3], [2, 4]], axis: 0), but: join([[2, 3], [4, 3]], axis: 0)),
    Refusal("input 2", join([[2, 3], [2, 1], [3, 3]], axis: 1)),
    Refusal(
      "fused activation relu", join([[2], [2]], axis: 0, .relu), but: join([[2], [2]], axis: 0)),
    Refusal("input 1 't1' float32[3] has another shape", pack([[2], [3]], axis: 0), but: pack([[2], [2]], axis: 0)),
    Refusal("axis 2 is outside of an output of rank 2", pack([[2], [2]], axis: 2), but: pack([[2], [2]], axis: 1)),
    Refusal("axis -3 is outside", pack([[2], [2]], axis: -3), but: pack([[2], [2]], axis: -2)),
    Refusal("joins 3 inputs by its options, but the model has 2", pack([[2], [2]], axis: 0, count: 3)),
    Refusal("joins 0 inputs", pack([], axis: 0), but: pack([[2]], axis: 0)),
  ]

  private static func split(_ shape: [Int], axis: Int32, _ outputs: Int, count: Int? = nil) -> Probe {
    Probe(
      .split, [.scalar(axis), .floats(shape)], .init(repeating: .floats(), count: outputs),
      SplitOptions.with { [$0.splitCount(count ?? outputs)] })
  }

  private static func splitV(_ sizes: [Int32], axis: Int32 = 0, outputs: Int? = nil, count: Int? = nil) -> Probe {
    let outputs = outputs ?? sizes.count
    return Probe(
      .splitV, [.floats([6]), .ints(sizes), .scalar(axis)], .init(repeating: .floats(), count: outputs),
      SplitVOptions.with { [$0.splitCount(count ?? outputs)] })
  }

  private static func unpack(_ shape: [Int], axis: Int, outputs: Int, count: Int? = nil) -> Probe {
    Probe(
      .unpack, [.floats(shape)], .init(repeating: .floats(), count: outputs),
      UnpackOptions.with { [$0.count(count ?? outputs), $0.axis(axis)] })
  }

  private static let cut: [Refusal] = [
    Refusal("gives 3 outputs by its options, the model names 2", split([6], axis: 0, 2, count: 3)),
    Refusal("gives 0 outputs", split([6], axis: 0, 1, count: 0)),
    Refusal("cannot cut the 6 steps along axis 0", split([6], axis: 0, 4), but: split([6], axis: 0, 3)),
    Refusal("axis 1 is outside", split([6], axis: 1, 2), but: split([6], axis: -1, 2)),
    Refusal("gives 3 outputs by its options, the model names 2", splitV([3, 3], count: 3)),
    Refusal("gives 0 outputs", splitV([6], count: 0)),
    Refusal("sizes [2, 3] do not add up to the 6 steps", splitV([2, 3]), but: splitV([2, 4])),
    Refusal("sizes [4, 3] do not add up", splitV([4, 3])),
    Refusal("sizes [5, -1, 2]", splitV([5, -1, 2]), but: splitV([5, -1, 1])),
    Refusal("are not 3 pieces", splitV([-1, -1, 2]), but: splitV([-1, 0, 2])),
    Refusal("are not 2 pieces", splitV([-2, 6])),
    Refusal("are not 2 pieces", splitV([7, -1]), but: splitV([6, -1])),
    Refusal("are not 2 pieces", splitV([6], outputs: 2)),
    Refusal("must contain at most 2 integers", splitV([2, 2, 2], outputs: 2)),
    Refusal("axis 1 is outside", splitV([3, 3], axis: 1), but: splitV([3, 3], axis: -1)),
    Refusal("gives 3 outputs by its options, the model names 2", unpack([2, 2], axis: 0, outputs: 2, count: 3)),
    Refusal("gives 0 outputs", unpack([1, 2], axis: 0, outputs: 1, count: 0)),
    Refusal(
      "has 3 steps along axis 1, the options say 2", unpack([2, 3], axis: 1, outputs: 2),
      but: unpack([2, 3], axis: -1, outputs: 3)),
    Refusal("axis 2 is outside", unpack([2, 3], axis: 2, outputs: 2), but: unpack([2, 3], axis: -2, outputs: 2)),
  ]

  private static func repeated(_ kind: BuiltinOperator, _ shape: [Int], _ values: [Int32]) -> Probe {
    Probe(kind, [.floats(shape), .ints(values)], [.floats()])
  }

  private static let arranged: [Refusal] = [
    Refusal("cannot be repeated to shape", repeated(.broadcastTo, [2], [3]), but: repeated(.broadcastTo, [1], [3])),
    Refusal("cannot be repeated", repeated(.broadcastTo, [2, 1], [1]), but: repeated(.broadcastTo, [2, 1], [2, 1])),
    Refusal("cannot be repeated", repeated(.broadcastTo, [1], [-1]), but: repeated(.broadcastTo, [1], [0])),
    Refusal("cannot be repeated", repeated(.broadcastTo, [3, 2], [2, 3, 3])),
    Refusal("multiples [1, 2]", repeated(.tile, [2], [1, 2]), but: repeated(.tile, [2], [2])),
    Refusal("multiples [-1]", repeated(.tile, [2], [-1]), but: repeated(.tile, [2], [0])),
    Refusal("[0] is not a permutation of the 2 axes", repeated(.transpose, [2, 3], [0])),
    Refusal(
      "[0, 0] is not a permutation", repeated(.transpose, [2, 3], [0, 0]), but: repeated(.transpose, [2, 3], [1, 0])),
    Refusal(
      "[0, 2] is not a permutation", repeated(.transpose, [2, 3], [0, 2]), but: repeated(.transpose, [2, 3], [0, -1])),
    Refusal("[0, 1, 0] is not a permutation", repeated(.transpose, [2, 3], [0, 1, 0])),
    Refusal("axis 2 is outside", repeated(.reverseV2, [2, 3], [0, 2]), but: repeated(.reverseV2, [2, 3], [0, -2])),
    Refusal("axis -3 is outside", repeated(.reverseV2, [2, 3], [-3])),
    Refusal(
      "axis 1 is outside of", Probe(.cumsum, [.floats([4]), .scalar(1)], [.floats()], CumsumOptions.empty),
      but: Probe(.cumsum, [.floats([4]), .scalar(-1)], [.floats()], CumsumOptions.empty)),
    Refusal(
      "must contain one element", Probe(.cumsum, [.floats([4]), .ints([0, 0])], [.floats()], CumsumOptions.empty)),
    Refusal(
      "it must be a vector of nonnegative numbers", Probe(.fill, [.ints([2, -1]), .floats()], [.floats()]),
      but: Probe(.fill, [.ints([2, 0]), .floats()], [.floats()])),
    Refusal("it must be a vector", Probe(.fill, [.ints([2], []), .floats()], [.floats()])),
    Refusal(
      "the value 't1' float32[2] must contain one element", Probe(.fill, [.ints([2]), .floats([2])], [.floats()]),
      but: Probe(.fill, [.ints([2]), .floats([1, 1])], [.floats()])),
    Refusal("must have at least one axis", Probe(.matrixDiag, [.floats()], [.floats()])),
    Refusal(
      "do not fit the matrices", Probe(.matrixSetDiag, [.floats([2, 3]), .floats([3])], [.floats()]),
      but: Probe(.matrixSetDiag, [.floats([2, 3]), .floats([2])], [.floats()])),
    Refusal(
      "do not fit the matrices", Probe(.matrixSetDiag, [.floats([2, 3, 3]), .floats([3, 3])], [.floats()]),
      but: Probe(.matrixSetDiag, [.floats([2, 3, 3]), .floats([2, 3])], [.floats()])),
    Refusal("do not fit the matrices", Probe(.matrixSetDiag, [.floats([3]), .floats([3])], [.floats()])),
  ]

  @Test("a box or a range outside the input", arguments: slices)
  func refusesSlices(refusal: Refusal) { refusal.check() }

  @Test("inputs that are inconsistent with each other or the axis", arguments: joined)
  func refusesJoined(refusal: Refusal) { refusal.check() }

  @Test("pieces that don't add up to the input", arguments: cut)
  func refusesCut(refusal: Refusal) { refusal.check() }

  @Test("shapes and permutations that are inconsistent with the input", arguments: arranged)
  func refusesArranged(refusal: Refusal) { refusal.check() }
}
