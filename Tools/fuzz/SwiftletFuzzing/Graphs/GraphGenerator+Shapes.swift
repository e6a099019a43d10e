import SwiftletSchema
import SwiftletTestSupport

extension GraphGenerator {
  /// Adds an operator whose output shape is known only at run time.
  mutating func dynamicStep() {
    switch random.below(14) {
    case 0:
      let condition = value(random.one(.bool, .float32), rank: random.within(1...2))
      add(.whereNonzero, [condition.index], [dynamic(.int64, rank: 2)])
    case 1:
      let first = integers([0], shape: []), step = random.oneIn(4) ? scalar() : integers([1], shape: [])
      add(.range, [first, scalar(), step], [dynamic(.int32, rank: 1)])
    case 2:
      let source = anyValue(), shape = numbers(Int32(random.within(1...3)))
      add(.reshape, [source.index, shape], [dynamic(source.type, rank: 2)], ReshapeOptions.with { [$0.newShape([])] })
    case 3: add(.fill, [numbers(Int32(random.within(0...3))), scalar(.float32)], [dynamic(.float32, rank: 2)])
    case 4:
      let source = anyValue()
      add(.tile, [source.index, numbers(Int32(source.shape.count))], [dynamic(source.type, rank: source.shape.count)])
    case 5:
      let source = value(random.one(.float32, .int32, .int64), rank: 1)
      add(
        .unique, [source.index], [dynamic(source.type, rank: 1), result(.int32, source.shape, isDynamic: true)],
        UniqueOptions.with { [$0.indexOutputType(.int32)] })
    case 6: suppression()
    case 7:
      let source = input(.float32, random.one([4], [2, 5], [7]))
      let shape = Array(source.shape.dropLast()) + [1]
      add(
        .topkV2, [source.index, scalar()],
        [result(.float32, shape, isDynamic: true), result(.int32, shape, isDynamic: true)])
    case 8:
      let source = anyValue(), rank = Int32(source.shape.count)
      add(
        .stridedSlice,
        [source.index, numbers(rank), numbers(rank), integers((0..<rank).map { _ in random.one(1, 1, 2, -1) })],
        [dynamic(source.type, rank: Int(rank))],
        StridedSliceOptions.with {
          [$0.beginMask(random.below(4)), $0.endMask(random.below(4)), $0.shrinkAxisMask(random.oneIn(4) ? 1 : 0)]
        })
    case 9:
      let source = anyValue(), rank = Int32(source.shape.count)
      let amounts = tensor(.int32, [rank, 2])
      add(
        .reshape, [numbers(2 * rank), integers([rank, 2])], [amounts], ReshapeOptions.with { [$0.newShape([rank, 2])] })
      add(random.one(.pad, .mirrorPad), [source.index, amounts], [dynamic(source.type, rank: Int(rank))])
    case 10:
      let source = anyValue(), rank = Int32(source.shape.count)
      add(.slice, [source.index, numbers(rank), numbers(rank)], [dynamic(source.type, rank: Int(rank))])
    case 11:
      let source = anyValue()
      add(
        .broadcastTo, [source.index, numbers(Int32(random.within(1...4)))], [dynamic(source.type, rank: 3)], version: 2)
    case 12:
      let depth = scalar()
      add(
        .oneHot, [value(.int32).index, depth, scalar(.float32), scalar(.float32)], [dynamic(.float32, rank: 2)],
        OneHotOptions.with { [$0.axis(-1)] })
    default:
      let count = Int32(random.within(1...3))
      let indices = input(.int32, [count, 1]), updates = input(.float32, [count])
      add(
        .scatterND, [indices.index, updates.index, random.oneIn(3) ? integers([5]) : numbers(1)],
        [dynamic(.float32, rank: 1)])
    }
  }

  private mutating func dynamic(_ type: ElementType, rank: Int) -> Int32 {
    result(type, [Int32](repeating: 1, count: rank), isDynamic: true)
  }

  private mutating func suppression() {
    let count = Int32(random.within(0...6))
    let boxes = input(.float32, [count, 4]), scores = input(.float32, [count])
    let limits = [scalar(), scalar(.float32), scalar(.float32)]
    if random.oneIn(2) {
      add(.nonMaxSuppressionV4, [boxes.index, scores.index] + limits, [dynamic(.int32, rank: 1), result(.int32, [])])
    } else {
      add(
        .nonMaxSuppressionV5, [boxes.index, scores.index] + limits + [scalar(.float32)],
        [dynamic(.int32, rank: 1), dynamic(.float32, rank: 1), result(.int32, [])])
    }
  }

  /// Adds an ordinary operator.
  mutating func plainStep() {
    switch random.below(10) {
    case 0...2:
      let left = value(random.one(.float32, .float32, .int32)), right = random.oneIn(2) ? left : value(left.type)
      let isSame = left.shape == right.shape
      add(
        random.one(.add, .mul, .sub, .maximum, .minimum), [left.index, right.index],
        [result(left.type, left.shape, isDynamic: left.isDynamic || right.isDynamic || !isSame)])
    case 3...4:
      let source = value(.float32)
      add(
        random.one(.neg, .exp, .relu, .abs, .logistic, .sqrt, .floor, .tanh), [source.index],
        [result(.float32, source.shape, isDynamic: source.isDynamic)])
    case 5:
      let source = anyValue(), type = random.one(ElementType.float32, .int32, .int64, .bool)
      add(.cast, [source.index], [result(type, source.shape, isDynamic: source.isDynamic)], CastOptions.empty)
    case 6:
      let source = value(random.one(.float32, .int32))
      add(
        .concatenation, [source.index, source.index], [result(source.type, source.shape, isDynamic: true)],
        ConcatenationOptions.with { [$0.axis(random.oneIn(6) ? 1 : -1)] })
    case 7:
      let source = input(.float32, [4, 2]), indices = value(.int32)
      add(
        .gather, [source.index, indices.index], [result(.float32, indices.shape, isDynamic: true)],
        GatherOptions.with { [$0.axis(0)] })
    case 8:
      let source = value(.float32)
      add(
        random.one(.sum, .mean, .reduceMax), [source.index, random.oneIn(2) ? integers([0]) : numbers(1)],
        [result(.float32, Array(source.shape.dropFirst()), isDynamic: true)],
        ReducerOptions.with { [$0.keepDimensions(random.oneIn(2))] })
    default:
      let source = anyValue()
      if random.oneIn(2) {
        add(.expandDims, [source.index, scalar()], [result(source.type, [1] + source.shape, isDynamic: true)])
      } else {
        add(random.one(.squeeze, .zerosLike), [source.index], [result(source.type, source.shape, isDynamic: true)])
      }
    }
  }
}
