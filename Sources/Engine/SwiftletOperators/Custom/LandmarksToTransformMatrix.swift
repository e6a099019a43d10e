import SwiftletBase
import SwiftletFlatBuffers
import SwiftletEngine
import SwiftletSchema

/// Landmarks2TransformMatrix: the matrix that maps pixels of an upright crop around some landmarks to pixels of the
/// image.
///
/// The crop is rotated so that the line through two landmarks has a given direction. It just encloses the selected
/// landmarks, scaled by a factor.
///
/// - Shapes: landmarks of three numbers, `[batch, points, 3]` or any other shape of rank 3 or 4; output `[1, 4, 4]`.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name, versions 1 and 2.
struct LandmarksToTransformMatrixOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("Landmarks2TransformMatrix"), versions: 1...2, floatError: 1e-6, types: .uniform([.float32]))
  }

  private let rule: any TransformMatrixRule
  private let rank: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    let map = try node.description.customOptionValues()
    rule = node.version == 1 ? try CenteredMatrixRule(node, map) : try CornerMatrixRule(node, map)
    rank = node.version == 1 ? 4 : 3
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try check(node)
    return [[1, 4, 4]]
  }

  /// Checks the input.
  ///
  /// - Throws: An error if the input doesn't contain all landmarks in the options.
  private func check(_ node: NodeView) throws {
    let points = try node.input(0)
    guard points.shape.rank == rank, points.shape.elementCount / 3 > rule.points.largestIndex else {
      throw node.invalid(
        "takes rank \(rank) and at least \(rule.points.largestIndex + 1) points of three numbers, got \(points)")
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try check(context.node)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let rule = rule
    return PreparedOperator(work: 500 + 10 * Double(rule.points.enclosed.count)) { run, _ in
      let rows = rule.matrix(run.pointer(source, as: Float.self))
      let result = run.pointer(destination, as: Float.self)
      for (index, value) in [rows.0, rows.1, rows.2, rows.3].enumerated() {
        for column in 0..<4 { result[4 &* index &+ column] = value[column] }
      }
    }
  }
}

/// The landmarks that determine a crop.
struct CropPoints: Sendable {
  let left: Int
  let right: Int
  let enclosed: [Int]

  init(_ node: NodeReader, _ map: FlexBufferValue, enclosed key: String) throws {
    left = map["left_rotation_idx"].intValue
    right = map["right_rotation_idx"].intValue
    enclosed = map[key].elements.map(\.intValue)
    guard !enclosed.isEmpty, ([left, right] + enclosed).allSatisfy({ (0...Int(Int32.max)).contains($0) }) else {
      throw node.invalid("names points \(left), \(right) and \(enclosed); there must be some, and none negative")
    }
  }

  var largestIndex: Int { enclosed.reduce(max(left, right), max) }

  /// Returns the direction from the left to the right landmark.
  func line(_ points: UnsafePointer<Float>) -> (x: Float, y: Float) {
    (points[3 &* right] - points[3 &* left], points[3 &* right &+ 1] - points[3 &* left &+ 1])
  }

  /// Returns the center and size of the enclosed landmarks' box after rotation by an angle. The center is rotated back.
  func box(_ points: UnsafePointer<Float>, turnedBy angle: Float) -> (
    center: (x: Float, y: Float), width: Float, height: Float
  ) {
    let (cosine, sine) = (cosf(angle), sinf(angle))
    var lowest = (x: Float.infinity, y: Float.infinity)
    var highest = (x: -Float.infinity, y: -Float.infinity)
    for index in enclosed {
      let (x, y) = (points[3 &* index], points[3 &* index &+ 1])
      let turned = (x: x * cosine - y * sine, y: x * sine + y * cosine)
      lowest = (min(lowest.x, turned.x), min(lowest.y, turned.y))
      highest = (max(highest.x, turned.x), max(highest.y, turned.y))
    }
    let middle = (x: (lowest.x + highest.x) / 2, y: (lowest.y + highest.y) / 2)
    return (
      (middle.x * cosine + middle.y * sine, middle.y * cosine - middle.x * sine), highest.x - lowest.x,
      highest.y - lowest.y
    )
  }
}

private typealias MatrixRows = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

/// The conversion from landmarks to a matrix in one version of the operator.
private protocol TransformMatrixRule: Sendable {
  var points: CropPoints { get }
  func matrix(_ points: UnsafePointer<Float>) -> MatrixRows
}

/// Version 2: pixels are measured from their corners.
private struct CornerMatrixRule: TransformMatrixRule {
  let points: CropPoints
  private let direction: Float
  private let output: (height: Float, width: Float)
  private let scale: (x: Float, y: Float)

  init(_ node: NodeReader, _ map: FlexBufferValue) throws {
    points = try CropPoints(node, map, enclosed: "subset_idxs")
    direction = map["target_rotation_radians"].floatValue
    output = (map["output_height"].floatValue, map["output_width"].floatValue)
    scale = (map["scale_x"].floatValue, map["scale_y"].floatValue)
    guard [output.height, output.width, scale.x, scale.y].allSatisfy({ $0 > 0 && $0.isFinite }), direction.isFinite
    else {
      throw node.invalid(
        "makes crops of \(output.height)×\(output.width) pixels scaled by \(scale.x) and \(scale.y); all must be positive"
      )
    }
  }

  func matrix(_ landmarks: UnsafePointer<Float>) -> MatrixRows {
    let line = points.line(landmarks)
    let angle = direction - atan2f(line.y, line.x)
    let box = points.box(landmarks, turnedBy: angle)
    let (cosine, sine) = (cosf(-angle), sinf(-angle))
    let scaleX = scale.x * box.width / output.width
    let scaleY = scale.y * box.height / output.height
    let (halfWidth, halfHeight) = (output.width / 2, output.height / 2)
    let (xx, xy, yx, yy) = (cosine * scaleX, -sine * scaleY, sine * scaleX, cosine * scaleY)
    return (
      [xx, xy, 0, box.center.x - xx * halfWidth - xy * halfHeight],
      [yx, yy, 0, box.center.y - yx * halfWidth - yy * halfHeight],
      [0, 0, 1, 0],
      [0, 0, 0, 1]
    )
  }
}

/// Version 1: coordinates go from −1 to 1 between the centers of the outermost pixels.
private struct CenteredMatrixRule: TransformMatrixRule {
  let points: CropPoints
  private let input: (height: Float, width: Float)
  private let output: (height: Float, width: Float)
  /// The coordinate of a landmark at the far edge of the image.
  private let range: Float
  private let factor: Float

  init(_ node: NodeReader, _ map: FlexBufferValue) throws {
    points = try CropPoints(node, map, enclosed: "subset")
    func size(_ key: String) throws -> (height: Float, width: Float) {
      let elements = map[key].elements
      guard elements.count == 2, elements.allSatisfy({ (1...Int(Int32.max)).contains($0.intValue) }) else {
        throw node.invalid("option \(key) must hold a positive height and width")
      }
      return (Float(elements[0].intValue), Float(elements[1].intValue))
    }
    input = try size("input_hw")
    output = try size("output_hw")
    range = map["landmarks_range"].floatValue
    factor = map["bbox_size_multiplier"].floatValue
    guard map["dimensions"].intValue == 3, range > 0, factor != 0, range.isFinite, factor.isFinite else {
      throw node.invalid("takes points of 3 numbers, a positive range and a size factor that is not 0")
    }
  }

  func matrix(_ landmarks: UnsafePointer<Float>) -> MatrixRows {
    let line = points.line(landmarks)
    // The angle of the slope, for either direction of the line.
    let angle = -atan2f(line.y / line.x, 1)
    let box = points.box(landmarks, turnedBy: angle)
    let (cosine, sine) = (cosf(-angle), sinf(-angle))
    let width = box.width * factor / range
    let height = box.height * factor / range
    let shiftX = box.center.x / range * 2 - 1
    let shiftY = box.center.y / range * 2 - 1
    // Map pixels of the crop to −1 … 1, rotate, scale, and shift them, and map them to pixels of the image.
    let (stepX, stepY) = (2 / (output.width - 1), 2 / (output.height - 1))
    let (halfWidth, halfHeight) = ((input.width - 1) / 2, (input.height - 1) / 2)
    let (xx, xy, yx, yy) = (cosine * width, -sine * height, sine * width, cosine * height)
    return (
      [halfWidth * xx * stepX, halfWidth * xy * stepY, 0, halfWidth * (shiftX - xx - xy) + halfWidth],
      [halfHeight * yx * stepX, halfHeight * yy * stepY, 0, halfHeight * (shiftY - yx - yy) + halfHeight],
      [0, 0, 1, 0],
      [0, 0, 0, 1]
    )
  }
}
