import SwiftletSyntheticData

/// The NumPy files of a task's images, written image by image.
struct SceneFiles {
  private static let faceRows = 4
  private static let objectRows = 6

  private let task: SceneTask
  private var images: ArrayFile
  /// The labels, in the order in which `append` writes them.
  private var labels: [ArrayFile]

  init(_ task: SceneTask, count: Int, width: Int, height: Int, folder: String) throws {
    func file(_ name: String, _ type: ArrayFile.Element, _ shape: [Int]) throws -> ArrayFile {
      try ArrayFile("\(folder)/\(name).npy", type, shape: [count] + shape)
    }
    self.task = task
    images = try file("images", .uint8, [height, width, 3])
    labels =
      switch task {
      case .face:
        [
          try file("boxes", .float32, [Self.faceRows, 4]), try file("keypoints", .float32, [Self.faceRows, 6, 2]),
          try file("counts", .int32, []),
        ]
      case .detection:
        [try file("boxes", .float32, [Self.objectRows, 4]), try file("classes", .int32, [Self.objectRows])]
      case .segmentation: [try file("masks", .uint8, [height, width])]
      case .classification: [try file("classes", .int32, [])]
      case .embedding: [try file("identities", .int32, [])]
      }
  }

  mutating func append(_ scene: DrawnScene) throws {
    try images.append(scene.image.packedBytes())
    switch task {
    case .face:
      try labels[0].append(Self.rows(scene.faces.map { $0.box.row }, Self.faceRows, width: 4))
      try labels[1].append(
        Self.rows(scene.faces.map { $0.keyPoints.flatMap { [$0.x, $0.y] } }, Self.faceRows, width: 12))
      try labels[2].append([Int32(scene.faces.count)])
    case .detection:
      try labels[0].append(Self.rows(scene.objects.map { $0.box.row }, Self.objectRows, width: 4))
      let classes = scene.objects.prefix(Self.objectRows).map { Int32($0.category.rawValue) }
      try labels[1].append(classes + [Int32](repeating: -1, count: Self.objectRows - classes.count))
    case .segmentation: try labels[0].append(scene.categories)
    case .classification: try labels[0].append([Int32(scene.objects.first?.category.rawValue ?? -1)])
    case .embedding: try labels[0].append([Int32(scene.identity ?? -1)])
    }
  }

  /// Makes the completed files appear.
  mutating func finish() throws {
    try images.finish()
    for index in labels.indices { try labels[index].finish() }
  }

  /// Returns `count` rows, with missing ones filled with zeros.
  private static func rows(_ rows: [[Float]], _ count: Int, width: Int) -> [Float] {
    let values = Array(rows.prefix(count).joined())
    return values + [Float](repeating: 0, count: count * width - values.count)
  }
}

extension LabelBox {
  /// The coordinates in the order of object detection models.
  fileprivate var row: [Float] { [top, left, bottom, right] }
}
