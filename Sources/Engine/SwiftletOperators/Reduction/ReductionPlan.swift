import SwiftletEngine
import SwiftletSchema

/// The iteration order of a reduction over its input. Adjacent axes that are all kept or all reduced are merged into
/// groups, and axes of size one are removed.
///
/// The groups alternate between kept and reduced. The innermost group determines the inner loop: `columns` if it is
/// kept (whole rows are combined element by element), and `runs` if it is reduced (each output combines contiguous
/// elements).
struct ReductionPlan: Sendable {
  struct Group: Sendable, Hashable {
    var count: Int
    /// The number of elements between two indices of the group.
    var stride: Int
  }

  enum InnerLoop: Sendable, Hashable {
    /// `inner` contiguous outputs, each of which combines `rows` elements that are `stride` apart.
    case columns(inner: Int, rows: Int, stride: Int)
    /// One output from `length` contiguous elements.
    case runs(length: Int)
  }

  /// The kept groups outside the inner loop, outermost first.
  let outer: [Group]
  /// The reduced groups outside the inner loop, outermost first.
  let repeated: [Group]
  let innerLoop: InnerLoop
  /// The number of elements combined to one output.
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
      // Groups of running plans aren't empty, because a zero-sized input never gets here.
      offset &+= rest % group.count &* group.stride
      rest /= group.count
    }
    return position == 0 ? 0 : offset &+ rest &* groups[0].stride
  }
}

extension ReductionPlan {
  /// Whether the float kernels support it: outputs are evenly spaced, and each is reduced from evenly spaced elements.
  var suitsFloatKernels: Bool { repeated.isEmpty && outer.count <= 1 }
}

/// The axes of a reduction, according to its axis input.
struct ReductionAxes {
  let isReduced: [Bool]

  /// Creates the axes.
  ///
  /// - Throws: An error for an axis outside the input's rank, and the signal of `Operator.inferShapes` if the axes
  ///   aren't known yet.
  init(_ node: NodeView) throws {
    let input = try node.input(0)
    var isReduced = [Bool](repeating: false, count: input.shape.rank)
    let axes = try node.integers(1)
    // A scalar has nothing to reduce, for any axis.
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
