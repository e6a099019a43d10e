import SwiftletBase

/// The task that images are generated for.
package enum SceneTask: String, Sendable, CaseIterable {
  case face, detection, segmentation, classification, embedding

  /// The number of images of the same instance, for tasks that recognize instances.
  package static let viewsPerIdentity = 8
}

extension Scene {
  /// Creates the image with a number in the sequence of a seed.
  ///
  /// - Parameters:
  ///   - number: The number of the image. Each image can be created without the previous ones.
  ///   - categoryCount: The number of categories to use, from the first.
  /// - Precondition: `categoryCount` is at least 1 and at most the number of categories.
  package init(
    _ task: SceneTask, seed: UInt64, number: Int, width: Int, height: Int,
    categoryCount: Int = ObjectCategory.allCases.count
  ) {
    var generator = SplitMix64(seed: seed, part: UInt64(truncatingIfNeeded: number))
    let categories = Array(ObjectCategory.allCases.prefix(categoryCount))
    switch task {
    case .face:
      self.init(width: width, height: height, clutter: 0...5, &generator)
      addFaces(&generator)
    case .detection:
      self.init(width: width, height: height, clutter: 0...4, &generator)
      let count = generator.happens(0.06) ? 0 : generator.whole(1...6)
      addObjects(count, categories, sizes: 0.09...0.3, &generator)
    case .segmentation:
      self.init(width: width, height: height, clutter: 0...4, &generator)
      addObjects(generator.whole(1...4), categories, sizes: 0.14...0.34, &generator)
    case .classification:
      self.init(width: width, height: height, clutter: 0...5, &generator)
      addMainObject(SceneObject(generator.one(of: categories), unlike: backdrop.tints, &generator), &generator)
    case .embedding:
      self.init(width: width, height: height, clutter: 0...3, &generator)
      let identity = number / SceneTask.viewsPerIdentity
      addMainObject(SceneInstance(seed: seed, identity: identity, categories: categories).seen(&generator), &generator)
      self.identity = identity
    }
  }

  /// Places an object so that it fills a large part of the image.
  private mutating func addMainObject(_ object: SceneObject, _ generator: inout SplitMix64) {
    var object = object
    object.size = generator.number(0.26, 0.44)
    object.centerX = 0.5 + generator.number(-0.12, 0.12)
    object.centerY = 0.5 + generator.number(-0.12, 0.12)
    objects = [object]
  }

  /// Places objects so that they hide little of each other.
  mutating func addObjects(
    _ count: Int, _ categories: [ObjectCategory], sizes: ClosedRange<Float>, _ generator: inout SplitMix64
  ) {
    let side = Float(min(width, height))
    for _ in 0..<count {
      var object = SceneObject(generator.one(of: categories), unlike: backdrop.tints, &generator)
      for _ in 0..<12 {
        object.size = generator.number(sizes.lowerBound, sizes.upperBound)
        let marginX = 0.75 * object.size * side / Float(width), marginY = 0.75 * object.size * side / Float(height)
        object.centerX = generator.number(marginX, 1 - marginX)
        object.centerY = generator.number(marginY, 1 - marginY)
        let isFree = objects.allSatisfy { other in
          let across = (other.centerX - object.centerX) * Float(width),
            down = (other.centerY - object.centerY) * Float(height)
          return length(across, down) > 0.72 * (other.size + object.size) * side
        }
        if isFree {
          objects.append(object)
          break
        }
      }
    }
  }

  /// Places up to four faces with disjoint boxes, and decoys.
  mutating func addFaces(_ generator: inout SplitMix64) {
    let count = generator.happens(0.15) ? 0 : generator.one(of: [1, 1, 1, 2, 2, 3, 4])
    for _ in 0..<generator.whole(0...2) { decoys.append(FaceDecoy(&generator)) }
    if generator.happens(0.25) {
      addObjects(generator.whole(1...2), ObjectCategory.allCases, sizes: 0.08...0.2, &generator)
    }
    for _ in 0..<count {
      var face = SceneFace(&generator)
      for _ in 0..<20 {
        let largest: Float = count == 1 ? 0.6 : count == 2 ? 0.36 : 0.25
        // Sizes are distributed evenly on a logarithmic scale.
        face.size = 0.095 * pow(largest / 0.095, generator.number(0, 1))
        face.centerX = generator.number(0.1, 0.9)
        face.centerY = generator.number(0.1, 0.9)
        if isFree(face) {
          faces.append(face)
          break
        }
      }
    }
    // Larger faces are nearer.
    faces.sort { $0.size < $1.size }
    objects = objects.filter { object in !faces.contains { isCovering(object, $0) } }
    for face in faces where generator.happens(0.12) {
      let (x, y) = (
        face.centerX + generator.number(-0.8, 0.8) * face.size, face.centerY + generator.number(-0.9, 0.9) * face.size
      )
      covers.append(FlatShape(generator.one(of: [.bar, .sheet]), x, y, face.size * 1.6, &generator))
    }
  }

  /// Whether most of a face's box is in the image and no other face's box overlaps it.
  private func isFree(_ face: SceneFace) -> Bool {
    let box = face.label(width: width, height: height).box
    let (boxWidth, boxHeight) = (box.right - box.left, box.bottom - box.top)
    guard box.left > -0.12 * boxWidth, box.top > -0.12 * boxHeight, box.right < 1 + 0.12 * boxWidth,
      box.bottom < 1 + 0.12 * boxHeight
    else {
      return false
    }
    return faces.allSatisfy { other in
      let otherBox = other.label(width: width, height: height).box
      // The nearer person's shoulders and hair must not hide the other face.
      return box.isApart(from: otherBox)
        && (other.size > face.size
          ? box.isApart(from: other.extent(width: width, height: height))
          : otherBox.isApart(from: face.extent(width: width, height: height)))
    }
  }

  private func isCovering(_ object: SceneObject, _ face: SceneFace) -> Bool {
    let side = Float(min(width, height))
    let across = (object.centerX - face.centerX) * Float(width) / side,
      down = (object.centerY - face.centerY) * Float(height) / side
    return length(across, down) < object.size + face.size
  }
}
