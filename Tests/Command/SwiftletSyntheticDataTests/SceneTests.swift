import Foundation
import SwiftletImage
import Testing

@testable import SwiftletSyntheticData

@Suite("Scene")
struct SceneTests {
  private static func scene(
    _ task: SceneTask, seed: UInt64 = 5, number: Int = 0, side: Int = 48, categoryCount: Int = 8
  ) -> Scene {
    Scene(task, seed: seed, number: number, width: side, height: side, categoryCount: categoryCount)
  }

  @Test("is the same image for the same seed, whenever it is rendered", arguments: SceneTask.allCases)
  func determinism(task: SceneTask) async throws {
    let first = try Self.scene(task).drawn()
    let others = try await withThrowingTaskGroup(of: DrawnScene.self) { group in
      for _ in 0..<3 { group.addTask { try Self.scene(task).drawn() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for other in others {
      #expect(other.image.packedBytes() == first.image.packedBytes())
      #expect(other.owners == first.owners && other.objects == first.objects && other.faces == first.faces)
    }
  }

  @Test("is a different image for another seed or number", arguments: SceneTask.allCases)
  func seedsDiffer(task: SceneTask) throws {
    let images = try [Self.scene(task), Self.scene(task, seed: 6), Self.scene(task, number: 1)].map {
      try $0.drawn().image.packedBytes()
    }
    #expect(Set(images).count == 3)
  }

  @Test("shows the same scene at every size")
  func sizes() throws {
    let small = try Self.scene(.detection, side: 32).drawn(), large = try Self.scene(.detection, side: 64).drawn()
    try #require(small.objects.map(\.category) == large.objects.map(\.category))
    for (first, second) in zip(small.objects, large.objects) {
      #expect(abs(first.box.left - second.box.left) < 0.05 && abs(first.box.bottom - second.box.bottom) < 0.05)
    }
  }

  @Test("supports nonsquare images")
  func oblong() throws {
    let drawn = try Scene(.detection, seed: 2, number: 1, width: 60, height: 30).drawn()
    #expect(drawn.image.width == 60 && drawn.image.height == 30 && drawn.owners.count == 1800)
  }

  // MARK: Objects

  @Test(
    "the box of an object is the outline of the pixels that show it", arguments: [SceneTask.detection, .segmentation])
  func boxesAreOutlines(task: SceneTask) throws {
    var found = 0
    for number in 0..<6 {
      let scene = Self.scene(task, number: number)
      let drawn = try scene.drawn()
      found += drawn.objects.count
      for label in drawn.objects {
        let pixels = drawn.owners.indices.filter { drawn.owners[$0] == UInt8(label.index + 1) }
        let columns = pixels.map { $0 % 48 }, rows = pixels.map { $0 / 48 }
        let left = try #require(columns.min()), right = try #require(columns.max())
        let top = try #require(rows.min()), bottom = try #require(rows.max())
        #expect(
          label.box
            == LabelBox(
              left: Float(left) / 48, top: Float(top) / 48, right: Float(right + 1) / 48, bottom: Float(bottom + 1) / 48
            ))
        #expect(pixels.allSatisfy { drawn.categories[$0] == UInt8(label.category.rawValue + 1) })
      }
      #expect(zip(drawn.owners, drawn.categories).allSatisfy { ($0 == 0) == ($1 == 0) })
    }
    #expect(found > 6)
  }

  @Test("hidden parts of objects are not in the labels")
  func hiddenObjects() throws {
    var scene = Self.scene(.classification)
    var nearer = scene.objects[0]
    nearer.size *= 1.2
    nearer.solid = Solid(category: .ball, proportion: 0)
    scene.objects = [scene.objects[0], nearer]
    let drawn = try scene.drawn()
    #expect(drawn.objects.map(\.category) == [.ball])
    #expect(Set(drawn.categories) == [0, UInt8(ObjectCategory.ball.rawValue + 1)])
  }

  @Test("an object contrasts with its background", arguments: ObjectCategory.allCases)
  func objectsAreVisible(category: ObjectCategory) throws {
    var generator = SplitMix64(state: UInt64(category.rawValue))
    var scene = Self.scene(.classification).withoutCameraFaults()
    scene.objects = []
    let before = try scene.drawn().image.packedBytes()
    scene.objects = [SceneObject(category, unlike: scene.backdrop.tints, &generator)]
    let drawn = try scene.drawn()
    let after = drawn.image.packedBytes()
    let shown = drawn.owners.indices.filter { drawn.owners[$0] > 0 }
    let different = shown.count { pixel in
      (0..<3).contains { abs(Int(before[pixel * 3 + $0]) - Int(after[pixel * 3 + $0])) > 12 }
    }
    #expect(drawn.objects.map(\.category) == [category])
    // A ring has a hole, and a star is narrow, but each fills a large part of its area.
    #expect(shown.count > 200 && different * 10 > shown.count * 8)
  }

  @Test("no point of a solid is outside the range of rays", arguments: ObjectCategory.allCases)
  func reach(category: ObjectCategory) {
    var generator = SplitMix64(state: 3)
    for _ in 0..<3000 {
      let solid = Solid(category: category, proportion: generator.number(0, 1))
      let direction = Vector3(generator.number(-1, 1), generator.number(-1, 1), generator.number(-1, 1)).normalized
      #expect(solid.distance(direction * Solid.reach) > 0)
    }
  }

  @Test("distances never move a ray past the surface", arguments: ObjectCategory.allCases)
  func distancesAreBounds(category: ObjectCategory) {
    var generator = SplitMix64(state: 4)
    let solid = Solid(category: category, proportion: 0.5)
    for _ in 0..<3000 {
      let first = Vector3(generator.number(-1.3, 1.3), generator.number(-1.3, 1.3), generator.number(-1.3, 1.3))
      let step = Vector3(generator.number(-0.3, 0.3), generator.number(-0.3, 0.3), generator.number(-0.3, 0.3))
      let difference = abs(solid.distance(first) - solid.distance(first + step))
      #expect(difference <= step.dot(step).squareRoot() * 1.001 + 1e-5)
    }
  }

  @Test(
    "only the first categories occur if fewer are requested",
    arguments: [SceneTask.segmentation, .detection, .classification, .embedding])
  func fewerCategories(task: SceneTask) {
    let found = Set((0..<60).flatMap { Self.scene(task, number: $0, categoryCount: 3).objects.map(\.category) })
    #expect(found == [.ball, .cube, .cone])
  }

  @Test("all categories occur about equally often")
  func categoriesAreEven() {
    let categories = (0..<800).flatMap { Self.scene(.detection, number: $0).objects.map(\.category) }
    for category in ObjectCategory.allCases {
      let share = Double(categories.count { $0 == category }) / Double(categories.count)
      #expect(share > 0.09 && share < 0.16)
    }
  }

  @Test("object detection images contain up to six objects, and a few contain none")
  func objectCounts() {
    let counts = (0..<800).map { Self.scene(.detection, number: $0).objects.count }
    #expect(Set(counts) == Set(0...6))
    #expect(counts.count { $0 == 0 } > 20 && counts.count { $0 == 0 } < 100)
  }

  // MARK: Instances

  @Test("eight consecutive images show the same object, and the next eight another one")
  func identities() {
    let scenes = (0..<24).map { Self.scene(.embedding, number: $0) }
    #expect(scenes.map(\.identity) == (0..<24).map { $0 / 8 })
    for group in 0..<3 {
      let objects = scenes[(8 * group)..<(8 * group + 8)].compactMap(\.objects.first)
      let looks = Set(
        objects.map {
          "\($0.solid) \($0.surface.pattern) \($0.surface.first) \($0.surface.second) \($0.surface.frequency)"
        })
      #expect(looks.count == 1 && Set(objects.map(\.rotation)).count == 8)
    }
  }

  @Test("no two objects have the same shape, pattern, and colors")
  func instancesDiffer() {
    let looks = (0..<1000).map { identity in
      let object = Self.scene(.embedding, number: identity * 8).objects[0]
      return "\(object.category) \(object.surface.pattern) \(object.surface.first) \(object.surface.second)"
    }
    #expect(Set(looks).count == looks.count)
  }
}
