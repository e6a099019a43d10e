import SwiftletBase

/// A synthetic video: a few objects that move in front of a background and pass each other.
package struct SceneVideo: Sendable {
  private let scene: Scene
  private let paths: [Path]

  /// The path of an object: back and forth across the image, and slightly up and down.
  private struct Path: Sendable {
    var middleX: Float
    var middleY: Float
    var reachX: Float
    var reachY: Float
    /// The initial direction, 1 or -1.
    var direction: Float
    var phase: Float
  }

  /// Creates a video.
  ///
  /// - Parameters:
  ///   - objectCount: The number of objects. Their categories differ as long as unused categories are left.
  package init(seed: UInt64, width: Int, height: Int, objectCount: Int) {
    var generator = SplitMix64(seed: seed, part: 0x71DE0)
    var scene = Scene(width: width, height: height, clutter: 0...1, &generator).withoutCameraFaults()
    let categories = ObjectCategory.allCases.shuffled(using: &generator)
    var paths: [Path] = []
    for index in 0..<objectCount {
      var object = SceneObject(categories[index % categories.count], unlike: scene.backdrop.tints, &generator)
      object.size = generator.number(0.13, 0.18)
      scene.objects.append(object)
      // The lanes are so close that passing objects sometimes touch.
      let lane = 0.24 + 0.52 * (objectCount > 1 ? Float(index) / Float(objectCount - 1) : 0.5)
      paths.append(
        Path(
          middleX: 0.5, middleY: lane, reachX: generator.number(0.2, 0.3), reachY: generator.number(0.03, 0.08),
          direction: generator.sign(), phase: generator.number(0, 6.28)))
    }
    self.scene = scene
    self.paths = paths
  }

  /// Returns the scene at a point in the video.
  ///
  /// - Parameter share: The position in the video, 0…1. The scene is the same at 0 and 1, so the video can loop.
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

/// A rectangle relative to an image's width and height.
///
/// It's stored by its edges, as in label files: an `UprightBox` would round the right and the bottom edge.
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

  /// Returns whether two rectangles are disjoint.
  func isApart(from other: LabelBox) -> Bool {
    left > other.right || right < other.left || top > other.bottom || bottom < other.top
  }
}

/// An object in an image: its category, and the box around its visible part.
package struct ObjectLabel: Sendable, Hashable {
  package var category: ObjectCategory
  package var box: LabelBox
  /// The object's index in the scene.
  package var index: Int
}

/// A face in an image.
package struct FaceLabel: Sendable, Hashable {
  /// From above the brows to the chin, with equal width and height in pixels. It can extend beyond the image.
  package var box: LabelBox
  /// The right eye, left eye, nose tip, mouth center, right ear, and left ear, relative to the image's size. Right is
  /// the person's right.
  package var keyPoints: [KeyPoint]

  package struct KeyPoint: Sendable, Hashable {
    package var x: Float
    package var y: Float
  }
}
