import Dispatch
import SwiftletBase
package import SwiftletImage

/// A synthetic image before rendering: a background, objects in front of it, light, and a camera.
///
/// The same seed gives the same value on every machine of an architecture, with any number of threads.
package struct Scene: Sendable, Hashable {
  package let width: Int
  package let height: Int
  var backdrop: Backdrop
  var light: Light
  /// The faces from back to front; objects are in front of faces.
  package var faces: [SceneFace] = []
  package var objects: [SceneObject] = []
  /// Flat shapes in front of faces that hide a part of them.
  var covers: [FlatShape] = []
  /// Shapes that resemble faces but aren't.
  var decoys: [FaceDecoy] = []
  var camera: CameraEffects
  /// The instance that the image shows, if several images show the same instance.
  package var identity: Int?

  /// Creates a scene without objects.
  init(width: Int, height: Int, clutter: ClosedRange<Int>, _ generator: inout SplitMix64) {
    self.width = width
    self.height = height
    backdrop = Backdrop(clutter: clutter, &generator)
    light = Light(&generator)
    camera = CameraEffects(strength: 1, &generator)
  }

  /// Returns the scene with a perfect camera.
  package func withoutCameraFaults() -> Scene {
    var scene = self
    var generator = SplitMix64(state: 0)
    scene.camera = CameraEffects(strength: 0, &generator)
    return scene
  }

  /// Renders the scene. Objects of which others hide more than 55 % are left out.
  ///
  /// - Throws: `ImageError` if an image cannot have this size.
  package func drawn() throws -> DrawnScene {
    var scene = self
    var drawing = scene.painted()
    while let hidden = drawing.hiddenMost {
      scene.objects.remove(at: hidden)
      drawing = scene.painted()
    }
    return try DrawnScene(scene, drawing)
  }

  /// An image before the camera's effects, with the object that each pixel belongs to.
  struct Drawing {
    var raster: Raster
    /// For each pixel, 1 + the index of the visible object, or 0 for none.
    var owners: [UInt8]
    /// The number of pixels that each object covers, including pixels that others hide.
    var covered: [Int]
    /// The number of visible pixels of each object.
    var seen: [Int]

    /// The object that others hide most, if they hide too much of it.
    var hiddenMost: Int? {
      let shares = covered.indices.map { (index: $0, share: Float(seen[$0]) / Float(max(1, covered[$0]))) }
      return shares.filter { $0.share < 0.45 }.min { $0.share < $1.share }?.index
    }
  }

  private func painted() -> Drawing {
    var raster = Raster(width: width, height: height)
    backdrop.paint(on: &raster)
    for decoy in decoys { decoy.paint(light, on: &raster) }
    let faces = FacePainter(light: light)
    for face in self.faces { faces.paint(face, on: &raster) }
    for cover in covers { cover.paint(on: &raster) }
    var owners = [UInt8](repeating: 0, count: width * height)
    let painter = ObjectPainter(light: light)
    var covered: [Int] = []
    for (index, object) in objects.enumerated() {
      covered.append(painter.paint(object, number: UInt8(truncatingIfNeeded: index + 1), on: &raster, owners: &owners))
    }
    var seen = [Int](repeating: 0, count: objects.count)
    for owner in owners where owner > 0 { seen[Int(owner) - 1] += 1 }
    camera.apply(to: &raster)
    return Drawing(raster: raster, owners: owners, covered: covered, seen: seen)
  }
}

/// A rendered scene with its labels.
package struct DrawnScene: Sendable {
  package let image: ImageBuffer
  package let objects: [ObjectLabel]
  package let faces: [FaceLabel]
  /// For each pixel, 1 + the category of the visible object, or 0 for none.
  package let categories: [UInt8]
  /// For each pixel, 1 + the index of the visible object in `objects`, or 0 for none.
  package let owners: [UInt8]
  package let identity: Int?

  init(_ scene: Scene, _ drawing: Scene.Drawing) throws {
    image = try drawing.raster.image()
    identity = scene.identity
    owners = drawing.owners
    let numbers = scene.objects.map { UInt8(1 + $0.category.rawValue) }
    categories = owners.map { $0 > 0 ? numbers[Int($0) - 1] : 0 }
    objects = Self.boxes(owners, width: scene.width, count: scene.objects.count).enumerated().compactMap { index, box in
      box.map { ObjectLabel(category: scene.objects[index].category, box: $0, index: index) }
    }
    faces = scene.faces.map { $0.label(width: scene.width, height: scene.height) }
  }

  /// Returns the box around the visible pixels of each object, or `nil` if none are visible.
  private static func boxes(_ owners: [UInt8], width: Int, count: Int) -> [LabelBox?] {
    var bounds = [(left: Int, top: Int, right: Int, bottom: Int)?](repeating: nil, count: count)
    let height = owners.count / width
    for row in 0..<height {
      for column in 0..<width {
        let owner = Int(owners[row * width + column])
        guard owner > 0 else { continue }
        let old = bounds[owner - 1] ?? (column, row, column, row)
        bounds[owner - 1] = (min(old.left, column), old.top, max(old.right, column), row)
      }
    }
    return bounds.map { bounds in
      bounds.map {
        LabelBox(
          left: Float($0.left) / Float(width), top: Float($0.top) / Float(height),
          right: Float($0.right + 1) / Float(width),
          bottom: Float($0.bottom + 1) / Float(height))
      }
    }
  }
}

extension SceneFace {
  /// Returns the area of the image that a head covers, with hair, hat, and shoulders.
  func extent(width: Int, height: Int) -> LabelBox {
    let scale = size * Float(min(width, height))
    let (across, down) = (scale / Float(width), scale / Float(height))
    return LabelBox(
      left: centerX - 1.45 * across, top: centerY - 1.35 * down, right: centerX + 1.45 * across,
      bottom: centerY + 2.9 * down)
  }

  /// Returns the label of the face in an image of this size.
  func label(width: Int, height: Int) -> FaceLabel {
    let points = outline.map { place($0, width: width, height: height) }
    let across = points.map(\.x), down = points.map(\.y)
    let (left, right) = (across.min() ?? 0, across.max() ?? 0)
    let (top, bottom) = (down.min() ?? 0, down.max() ?? 0)
    let half = max(right - left, bottom - top) / 2
    let (middleX, middleY) = ((left + right) / 2, (top + bottom) / 2)
    return FaceLabel(
      box: LabelBox(
        left: (middleX - half) / Float(width), top: (middleY - half) / Float(height),
        right: (middleX + half) / Float(width),
        bottom: (middleY + half) / Float(height)),
      keyPoints: keyPoints.map { point in
        let place = place(point, width: width, height: height)
        return FaceLabel.KeyPoint(x: place.x / Float(width), y: place.y / Float(height))
      })
  }
}

extension Scene {
  /// Renders several scenes on all cores.
  ///
  /// - Returns: The images, in the order of the scenes.
  /// - Throws: `ImageError` of the first scene that cannot be rendered.
  package static func drawn(_ scenes: [Scene]) throws -> [DrawnScene] {
    let slots = DrawnSlots(count: scenes.count)
    DispatchQueue.concurrentPerform(iterations: scenes.count) { index in
      slots.set(index, Result { try scenes[index].drawn() })
    }
    return try slots.values.map { try $0.get() }
  }
}

/// The images from several threads, in the order of the scenes.
private final class DrawnSlots: Sendable {
  private let slots: Mutex<[Result<DrawnScene, any Error>?]>

  init(count: Int) { slots = Mutex(Array(repeating: nil, count: count)) }

  func set(_ index: Int, _ result: Result<DrawnScene, any Error>) { slots.withLock { $0[index] = result } }

  /// The values that were set.
  var values: [Result<DrawnScene, any Error>] { slots.withLock { $0.compactMap(\.self) } }
}
