import SwiftletBase

/// A synthetic video: a few objects that move before one backdrop, past and before each other.
package struct SceneVideo: Sendable {
  private let scene: Scene
  private let paths: [Path]

  /// How an object moves: back and forth across the image, and up and down a little.
  private struct Path: Sendable {
    var middleX: Float
    var middleY: Float
    var reachX: Float
    var reachY: Float
    /// 1 or -1: which way it swings first.
    var direction: Float
    var phase: Float
  }

  /// - Parameters:
  ///   - objectCount: how many objects; each is of another category, as long as there are some left.
  package init(seed: UInt64, width: Int, height: Int, objectCount: Int) {
    var generator = SplitMix64(seed: seed, part: 0x71DE0)
    var scene = Scene(width: width, height: height, clutter: 0...1, &generator).withoutCameraFaults()
    let categories = ObjectCategory.allCases.shuffled(using: &generator)
    var paths: [Path] = []
    for index in 0..<objectCount {
      var object = SceneObject(categories[index % categories.count], unlike: scene.backdrop.tints, &generator)
      object.size = generator.number(0.13, 0.18)
      scene.objects.append(object)
      // One lane below the other, near enough that objects that pass each other sometimes touch.
      let lane = 0.24 + 0.52 * (objectCount > 1 ? Float(index) / Float(objectCount - 1) : 0.5)
      paths.append(
        Path(
          middleX: 0.5, middleY: lane, reachX: generator.number(0.2, 0.3), reachY: generator.number(0.03, 0.08),
          direction: generator.sign(), phase: generator.number(0, 6.28)))
    }
    self.scene = scene
    self.paths = paths
  }

  /// The scene at a time.
  ///
  /// - Parameter share: of the video, 0…1; at 1 everything is where it was at 0, so that the video can go on from its
  ///   start.
  package func scene(at share: Float) -> Scene {
    var scene = scene
    for (index, path) in paths.enumerated() {
      let angle = 2 * Float.pi * path.direction * share + path.phase
      scene.objects[index].centerX = path.middleX + path.reachX * sin(angle)
      scene.objects[index].centerY = path.middleY + path.reachY * sin(2 * angle + 1)
    }
    return scene
  }
}

/// A rectangle in shares of an image's width and height.
///
/// By its edges, as labels are written: an `UprightBox` would round the right and the bottom edge.
package struct LabelBox: Sendable, Hashable {
  package var left: Float
  package var top: Float
  package var right: Float
  package var bottom: Float

  package init(left: Float, top: Float, right: Float, bottom: Float) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// Whether two rectangles have nothing in common.
  func isApart(from other: LabelBox) -> Bool {
    left > other.right || right < other.left || top > other.bottom || bottom < other.top
  }
}

/// An object in an image: what it is, and the box around what is seen of it.
package struct ObjectLabel: Sendable, Hashable {
  package var category: ObjectCategory
  package var box: LabelBox
  /// The object's number among those of the scene.
  package var index: Int
}

/// A face in an image.
package struct FaceLabel: Sendable, Hashable {
  /// From above the brows to the chin, as high as wide in pixels. May reach out of the image.
  package var box: LabelBox
  /// Right eye, left eye, tip of the nose, middle of the mouth, right ear, left ear, in shares of the image; the
  /// right is the person's.
  package var keyPoints: [KeyPoint]

  package struct KeyPoint: Sendable, Hashable {
    package var x: Float
    package var y: Float
  }
}
