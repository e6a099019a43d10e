import Testing

@testable import SwiftletSyntheticData

@Suite("Scene video")
struct SceneVideoTests {
  @Test("loops, and moves slightly between frames")
  func motion() {
    let video = SceneVideo(seed: 4, width: 64, height: 48, objectCount: 3)
    #expect(video.scene(at: 0) != video.scene(at: 0.5))
    for index in 0..<3 {
      let places = (0...48).map { number in
        let object = video.scene(at: Float(number) / 48).objects[index]
        return (x: object.centerX, y: object.centerY)
      }
      #expect(abs(places[0].x - places[48].x) < 1e-4 && abs(places[0].y - places[48].y) < 1e-4)
      for (one, next) in zip(places, places.dropFirst()) {
        let step = length(next.x - one.x, next.y - one.y)
        #expect(step < 0.06)
      }
      #expect(places.allSatisfy { $0.x > 0.1 && $0.x < 0.9 && $0.y > 0.1 && $0.y < 0.9 })
    }
  }

  @Test("shows the same objects in every frame, each of a different category")
  func objects() {
    let video = SceneVideo(seed: 5, width: 32, height: 32, objectCount: 4)
    let first = video.scene(at: 0).objects.map(\.category)
    #expect(Set(first).count == 4)
    #expect(video.scene(at: 0.7).objects.map(\.category) == first)
  }

  @Test("renders like its single scenes")
  func together() throws {
    let video = SceneVideo(seed: 6, width: 32, height: 24, objectCount: 2)
    let scenes = [Float(0), 0.3, 0.6].map(video.scene)
    let together = try Scene.drawn(scenes).map { $0.image.packedBytes() }
    #expect(try together == scenes.map { try $0.drawn().image.packedBytes() })
    #expect(Set(together).count == 3)
  }
}
