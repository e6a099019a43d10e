import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of shape operators")
struct ShapeRefusalTests {
  private static func bitcast(_ from: ElementType, _ shape: [Int], _ to: ElementType) -> Probe {
    Probe(.bitcast, [.of(from, shape)], [.of(to)])
  }

  private static func reshape(_ shape: ProbeTensor?, _ options: [Int]? = nil) -> Probe {
    var probe = Probe(.reshape, [.floats([2, 3])], [.floats()])
    if let shape { probe.inputs.append(shape) }
    if let options { probe.options = ReshapeOptions.with { [$0.newShape(options)] } }
    return probe
  }

  private static func squeeze(_ axes: [Int]) -> Probe {
    Probe(.squeeze, [.floats([1, 3, 1])], [.floats()], SqueezeOptions.with { [$0.squeezeDimensions(axes)] })
  }

  private static func expand(_ axis: ProbeTensor) -> Probe {
    Probe(.expandDims, [.floats([2, 3]), axis], [.floats()])
  }

  private static func broadcastArgs(_ first: ProbeTensor, _ second: ProbeTensor) -> Probe {
    Probe(.broadcastArgs, [first, second], [.of(.int32)])
  }

  private static let refusals: [Refusal] = [
    Refusal(
      "must be 4 long, one element of float32", bitcast(.int8, [2, 3], .float32), but: bitcast(.int8, [3, 4], .float32)),
    Refusal("must be 2 long", bitcast(.int16, [], .int32), but: bitcast(.int16, [2], .int32)),
    Refusal("of 6 elements, the shape [4]", reshape(.ints([4])), but: reshape(.ints([6]))),
    Refusal("the shape [-1, 4]", reshape(.ints([-1, 4])), but: reshape(.ints([-1, 2]))),
    Refusal("the shape [-1, -1] has more than one -1", reshape(.ints([-1, -1])), but: reshape(.ints([-1]))),
    Refusal("the shape [-1, 0]", reshape(.ints([-1, 0]))),
    Refusal("the shape [-2, -3]", reshape(.ints([-2, -3])), but: reshape(.ints([2, 3]))),
    Refusal("has neither a shape input nor a shape option", reshape(nil), but: reshape(nil, [3, 2])),
    Refusal("has neither a shape input nor a shape option", reshape(.ints([3, 2], [1, 2]))),
    Refusal("the shape []", reshape(nil, [0])),
    Refusal("cannot drop axes [1]", squeeze([1]), but: squeeze([2])),
    Refusal("axis 3 is outside", squeeze([3]), but: squeeze([-3])),
    Refusal("axis -4 is outside", squeeze([-4]), but: squeeze([])),
    Refusal("it must be from -3 to 2", expand(.scalar(3)), but: expand(.scalar(2))),
    Refusal("it must be from -3 to 2", expand(.scalar(-4)), but: expand(.scalar(-3))),
    Refusal("must contain one element", expand(.ints([0, 1]))),
    Refusal("must be vectors", broadcastArgs(.ints([1]), .ints([1], []))),
    Refusal("must be vectors", broadcastArgs(.ints([1], [1, 1]), .ints([1]))),
    Refusal(
      "sizes 2 and 3 of axis 1 do not fit each other", broadcastArgs(.values([Int32(1), 2]), .values([Int32(3)])),
      but: broadcastArgs(.values([Int32(3), 1]), .values([Int32(3)])), code: .invalidInput),
    Refusal(
      "the option for the type of its output must be int32 (2) or int64 (4), got 0",
      Probe(.shape, [.floats([2])], [.of(.int32)], ShapeOptions.with { [$0.outputType(.float32)] }),
      but: Probe(.shape, [.floats([2])], [.of(.int64)], ShapeOptions.with { [$0.outputType(.int64)] })),
  ]

  @Test("sizes and axes that are inconsistent with the input", arguments: refusals)
  func refuses(refusal: Refusal) { refusal.check() }

  @Test("a size that doesn't fit in int32 is returned only as int64")
  func wideSizes() {
    func sizes(_ type: ElementType, _ count: Int) -> Probe {
      var probe = Probe(.shape, [.of(.int8, [2, count])], [.of(type)], ShapeOptions.with { [$0.outputType(type)] })
      probe.runtime.limits.arenaBytes = 1 << 40
      return probe
    }
    let words = "[2, 2147483648] do not fit into int32"
    Refusal(words, sizes(.int32, 1 << 31), but: sizes(.int32, 1 << 31 - 1), isUnread: true).check()
    Refusal(words, sizes(.int32, 1 << 31), but: sizes(.int64, 1 << 31), isUnread: true).check()
  }

  @Test("the shape comes from a vector of int32, else the options, else a vector of another type")
  func shapeSources() throws {
    func shape(_ input: ProbeTensor?, _ options: [Int]? = nil) throws -> [Int] {
      try Self.reshape(input, options).run()[0].shape.dimensions
    }
    #expect(try shape(.ints([3, 2]), [6]) == [3, 2])
    #expect(try shape(.ints([3, 2], [1, 2]), [6]) == [6])
    #expect(try shape(.constant([Int64(3), 2]), [6]) == [6])
    #expect(try shape(.constant([Int64(3), 2])) == [3, 2])
    #expect(try shape(.constant([Int64(-1), 2])) == [3, 2])
    let scalar = Probe(.reshape, [.floats([1])], [.floats()], ReshapeOptions.with { [$0.newShape([0])] })
    #expect(try scalar.run()[0].shape.dimensions == [])
    #expect(try shape(nil, [3, -1]) == [3, 2])
  }

  @Test("axes are counted from both ends, in the output")
  func expanded() throws {
    let shapes = try [-3, -2, -1, 0, 1, 2].map { try Self.expand(.scalar($0)).run()[0].shape.dimensions }
    #expect(shapes == [[1, 2, 3], [2, 1, 3], [2, 3, 1], [1, 2, 3], [2, 1, 3], [2, 3, 1]])
    #expect(try Self.squeeze([]).run()[0].shape.dimensions == [3])
    #expect(try Self.squeeze([-1]).run()[0].shape.dimensions == [1, 3])
    #expect(try Self.squeeze([0, -3]).run()[0].shape.dimensions == [3, 1])
  }

  @Test("a bitcast adds or removes the last axis")
  func bitcasts() throws {
    #expect(try Self.bitcast(.int32, [2], .uint8).run()[0].shape.dimensions == [2, 4])
    #expect(try Self.bitcast(.int16, [3, 2], .uint32).run()[0].shape.dimensions == [3])
    #expect(try Self.bitcast(.int32, [3, 2], .float32).run()[0].shape.dimensions == [3, 2])
    let halves = Probe(.bitcast, [.values([Int32(0x0403_0201), 5])], [.of(.int16)])
    #expect(try halves.run()[0].values() == [Int16(0x0201), 0x0403, 5, 0])
  }

  @Test("the common shape has the sizes other than 1, aligned at the end")
  func commonShape() throws {
    func common(_ first: [Int32], _ second: [Int32]) throws -> [Int32] {
      try Self.broadcastArgs(.values(first), .values(second)).run()[0].values()
    }
    #expect(try common([2, 1, 4], [3, 1]) == [2, 3, 4])
    #expect(try common([1, 0], [5, 3, 1]) == [5, 3, 0])
    #expect(try common([], [7]) == [7])
  }
}
