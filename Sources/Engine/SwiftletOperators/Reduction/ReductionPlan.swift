import SwiftletEngine
import SwiftletSchema

/// How a reduction walks its input: neighboring axes that are all kept or all reduced act as one, axes of size one
/// vanish.
///
/// What remains alternates between kept and reduced. The innermost group decides the inner loop: `columns` when it is
/// kept (whole rows are combined element by element), `runs` when it is reduced (each output combines contiguous
/// elements).
struct ReductionPlan: Sendable {
  struct Group: Sendable, Hashable {
    var count: Int
    /// Elements from one index of the group to the next.
    var stride: Int
  }

  enum InnerLoop: Sendable, Hashable {
    /// `inner` contiguous outputs, each the combination of `rows` elements `stride` apart.
    case columns(inner: Int, rows: Int, stride: Int)
    /// One output from `length` contiguous elements.
    case runs(length: Int)
  }

  /// Kept groups that the inner loop does not cover, outermost first.
  let outer: [Group]
  /// Reduced groups that the inner loop does not cover, outermost first.
  let repeated: [Group]
  let innerLoop: InnerLoop
  /// Elements that are combined to one output.
  let reducedCount: Int
  let outputCount: Int

  init(shape: Shape, isReduced: [Bool]) {
    var groups: [(group: Group, isReduced: Bool)] = []
    for axis in shape.dimensions.indices.reversed() where shape[axis] != 1 {
      if let last = groups.last, last.isReduced == isReduced[axis] {
        groups[groups.count - 1].group.count = last.group.count &* shape[axis]
      } else {
        let stride = groups.reduce(1) { $0 &* $1.group.count }
        groups.append((Group(count: shape[axis], stride: stride), isReduced[axis]))
      }
    }
    groups.reverse()
    reducedCount = groups.reduce(1) { $1.isReduced ? $0 &* $1.group.count : $0 }
    outputCount = groups.reduce(1) { $1.isReduced ? $0 : $0 &* $1.group.count }
    if let last = groups.popLast() {
      if last.isReduced {
        innerLoop = .runs(length: last.group.count)
      } else {
        let rows = groups.popLast()?.group ?? Group(count: 1, stride: 0)
        innerLoop = .columns(inner: last.group.count, rows: rows.count, stride: rows.stride)
      }
    } else {
      innerLoop = .runs(length: 1)
    }
    outer = groups.filter { !$0.isReduced }.map(\.group)
    repeated = groups.filter(\.isReduced).map(\.group)
  }

  /// Returns the element offset of position `index` in the index space of `groups`.
  @inline(__always)
  static func offset(of index: Int, in groups: [Group]) -> Int {
    var rest = index
    var offset = 0
    var position = groups.count
    while position > 1 {
      position &-= 1
      let group = groups[position]
      // Groups of plans that run are not empty: a zero-sized input never gets here.
      offset &+= rest % group.count &* group.stride
      rest /= group.count
    }
    return position == 0 ? 0 : offset &+ rest &* groups[0].stride
  }
}

extension ReductionPlan {
  /// Whether kernels for floats take it: outputs lie at equal distances, and what is reduced to one is found at one.
  var suitsFloatKernels: Bool { repeated.isEmpty && outer.count <= 1 }
}

/// Which axes a reduction goes over, as its axis input says.
struct ReductionAxes {
  let isReduced: [Bool]

  /// - Throws: for an axis outside the input's rank, and the signal of `Operator.inferShapes` when the axes are not
  ///   known yet.
  init(_ node: NodeView) throws {
    let input = try node.input(0)
    var isReduced = [Bool](repeating: false, count: input.shape.rank)
    let axes = try node.integers(1)
    // A scalar has nothing to go over, whatever the axis.
    if input.shape.rank > 0 {
      for axis in axes {
        guard let resolved = input.shape.resolvedAxis(axis) else {
          throw node.invalid("reduces axis \(axis) of input \(input), which has rank \(input.shape.rank)")
        }
        isReduced[resolved] = true
      }
    }
    self.isReduced = isReduced
  }

  func outputShape(of shape: Shape, keepsDimensions: Bool) -> Shape {
    var dimensions: [Int] = []
    for (dimension, isReduced) in zip(shape.dimensions, isReduced) {
      if !isReduced { dimensions.append(dimension) } else if keepsDimensions { dimensions.append(1) }
    }
    return Shape(dimensions)
  }
}
