/// A rectangle in shares of a picture's width and height.
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

/// An object in a picture: what it is, and the box around what is seen of it.
package struct ObjectLabel: Sendable, Hashable {
  package var category: ObjectCategory
  package var box: LabelBox
  /// The object's number among those of the scene.
  package var index: Int
}

/// A face in a picture.
package struct FaceLabel: Sendable, Hashable {
  /// From above the brows to the chin, as high as wide in pixels. May reach out of the picture.
  package var box: LabelBox
  /// Right eye, left eye, tip of the nose, middle of the mouth, right ear, left ear, in shares of the picture; the
  /// right is the person's.
  package var keyPoints: [KeyPoint]

  package struct KeyPoint: Sendable, Hashable {
    package var x: Float
    package var y: Float
  }
}
